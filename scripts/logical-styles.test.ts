import { globSync } from "node:fs";
import { expect, it } from "vitest";
import { REPOSITORY_ROOT, readRepository } from "../test/support/repository/repository.ts";

/** A declaration of a stylesheet. */
const DECLARATION = /(?<=[;{]\s*)([a-z-]+):\s*([^;{}]+);/g;
const PHYSICAL_PROPERTY = /(?:^|-)(?:left|right)(?:-|$)/;
const SIDED_PROPERTY = /^(?:text-align|float|clear)$/;
const SHORTHAND = /^(?:margin|padding|inset)$/;

/** Returns the declarations that name the left or the right, where a page from right to left has the other side. */
function physicalDeclarations(css: string): string[] {
  const withoutComments = css.replaceAll(/\/\*[\s\S]*?\*\//g, "");
  return Array.from(withoutComments.matchAll(DECLARATION)).flatMap(([whole, property = "", value = ""]) => {
    const isSided = SIDED_PROPERTY.test(property) && /^(?:left|right)\b/.test(value);
    return PHYSICAL_PROPERTY.test(property) || isSided || (SHORTHAND.test(property) && hasTwoSides(value))
      ? [whole]
      : [];
  });
}

/** Whether a value of four parts has another left than right. */
function hasTwoSides(value: string): boolean {
  const parts = value.match(/[^\s(]+(?:\((?:[^()]|\([^()]*\))*\))?/g) ?? [];
  return parts.length === 4 && parts[1] !== parts[3];
}

it("the stylesheets of all pages name beginnings and ends, so that they fit a language from right to left", () => {
  const files = globSync("{gateway,services}/**/*.css", { cwd: REPOSITORY_ROOT });
  expect(files.length).toBeGreaterThan(10);
  const found = files.map((file) => [file, physicalDeclarations(readRepository(file))] as const);
  expect(found.filter(([, declarations]) => declarations.length > 0)).toStrictEqual([]);
});

it.each([
  ["margin-left: 1rem;", true],
  ["border-right-width: 1px;", true],
  ["left: 0;", true],
  ["text-align: right;", true],
  ["float: left;", true],
  ["padding: 0 1rem 0 0;", true],
  ["padding: 0 clamp(1rem, calc(1vw + 1px), 2rem) 0 0;", true],
  ["padding: 0 1rem 0 1rem;", false],
  ["padding: 0 clamp(1rem, 1vw, 2rem);", false],
  ["margin-inline-start: 1rem;", false],
  ["text-align: start;", false],
  ["float: inline-start;", false],
])("of these, the check refuses the right ones: %s", (declaration, isPhysical) => {
  expect(physicalDeclarations(`p { color: red; /* left: 0; */ ${declaration} }`).length === 1).toBe(isPhysical);
});
