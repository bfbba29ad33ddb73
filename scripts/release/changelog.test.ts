import { expect, it } from "vitest";
import { readRepository } from "../../test/support/repository/repository.ts";
import { changelogRefusals, changelogSections } from "./changelog.ts";

const CHANGELOG = `# Changelog

What changed.

## 0.3.0 - unreleased

### Added

- Something new.

## 0.2.0 - 2026-03-01

## 0.1.0 - 2026-01-31

- The first version.
`;

it("reads each version's section", () => {
  expect(changelogSections(CHANGELOG)).toEqual([
    { version: "0.3.0", date: "unreleased", text: "### Added\n\n- Something new." },
    { version: "0.2.0", date: "2026-03-01", text: "" },
    { version: "0.1.0", date: "2026-01-31", text: "- The first version." },
  ]);
});

it.each(["## [0.1.0] - 2026-01-31", "## 0.1 - 2026-01-31", "## 0.1.0", "## Unreleased"])(
  "refuses the heading %s",
  (heading) => {
    expect(() => changelogSections(`# Changelog\n\n${heading}\n`)).toThrow(heading);
  },
);

it.each([
  ["0.1.0", []],
  ["0.2.0", ["CHANGELOG.md says nothing about 0.2.0"]],
  ["0.3.0", ["CHANGELOG.md: 0.3.0 has no date"]],
  ["0.4.0", ["CHANGELOG.md has no section for 0.4.0"]],
])("releases %s with refusals %j", (version, refusals) => {
  expect(changelogRefusals(changelogSections(CHANGELOG), version)).toEqual(refusals);
});

it("CHANGELOG.md has sections with text", () => {
  const sections = changelogSections(readRepository("CHANGELOG.md"));
  expect(sections.length).toBeGreaterThan(0);
  expect(sections.filter(({ text }) => text === "")).toEqual([]);
});
