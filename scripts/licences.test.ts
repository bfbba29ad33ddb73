import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { LICENCES, licences } from "./licences.ts";
import { productionPackages } from "./production-packages.ts";

/** Licences that allow linking and redistribution with few conditions. Review any other one before you add it. */
const ACCEPTED = [
  "0BSD",
  "Apache-2.0",
  "Artistic-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  // Fonts: part of a program, and pictures of their letters, are free of it.
  "OFL-1.1",
  "Unlicense",
];

/** Whether an SPDX expression is acceptable: of licences joined by OR one must be accepted, of those joined by AND all. */
function isAccepted(expression: string): boolean {
  const choices = expression.replace(/^\(|\)$/g, "").split(" OR ");
  return choices.some((choice) => choice.split(" AND ").every((licence) => ACCEPTED.includes(licence)));
}

it("docs/licences.md lists the packages of the image", async () => {
  expect(await readFile(LICENCES, "utf8")).toBe(licences());
});

it("every package has a licence that is accepted", () => {
  const packages = productionPackages();
  expect(packages.length).toBeGreaterThan(50);
  expect(
    packages.filter(({ licence = "" }) => !isAccepted(licence)).map(({ name, licence }) => `${name}: ${licence}`),
  ).toEqual([]);
});
