import { codeBlocks } from "../../support/repository/markdown.ts";

/** Text of a page below a heading of the second level, without it; what comes before the first one by default. */
export function sectionOf(page: string, heading?: string): string {
  const after = heading === undefined ? page : (page.split(`\n## ${heading}\n`)[1] ?? "");
  return after.split(/^## /m)[0] ?? "";
}

/** The lines that begin with `$` of a section's blocks of `console`, without it. */
export function commandsBelow(page: string, heading?: string): string[] {
  return codeBlocks(sectionOf(page, heading), "console").flatMap(({ code }) =>
    Array.from(code.matchAll(/^\$ (.+)$/gm), ([, command = ""]) => command),
  );
}
