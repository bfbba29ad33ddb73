/** A version's section of CHANGELOG.md. */
export interface ChangelogSection {
  readonly version: string;
  /** ISO date of the release, or "unreleased". */
  readonly date: string;
  /** Markdown below the heading. */
  readonly text: string;
}

const HEADING = /^## (\d+\.\d+\.\d+) - (\d{4}-\d{2}-\d{2}|unreleased)$/;

/** Reads a changelog, newest version first. @throws Error for a heading that isn't `## VERSION - DATE` or `## VERSION - unreleased` */
export function changelogSections(markdown: string): ChangelogSection[] {
  const [, ...sections] = markdown.split(/^(?=## )/m);
  return sections.map((section) => {
    const [heading = "", ...lines] = section.split("\n");
    const [, version, date] = HEADING.exec(heading) ?? [];
    if (version === undefined || date === undefined)
      throw new Error(`CHANGELOG.md: "${heading}" is not a version's heading`);
    return { version, date, text: lines.join("\n").trim() };
  });
}

/** Why a version can't be released with this changelog: one line each. */
export function changelogRefusals(sections: readonly ChangelogSection[], version: string): string[] {
  const section = sections.find((each) => each.version === version);
  if (section === undefined) return [`CHANGELOG.md has no section for ${version}`];
  return [
    ...(section.date === "unreleased" ? [`CHANGELOG.md: ${version} has no date`] : []),
    ...(section.text === "" ? [`CHANGELOG.md says nothing about ${version}`] : []),
  ];
}
