import { expect, it } from "vitest";
import { DE } from "./de.ts";
import { EN } from "./en.ts";

it.each([
  ["English", EN, /[^.]*on the sale's page[^.]*\./g, "if it has one"],
  ["German", DE, /[^.]*auf der Seite des Verkaufs[^.]*\./g, "wenn dort eine steht"],
] as const)("promises no address on a sale's page, which may have none: %s", (_, texts, pattern, condition) => {
  const sentences = Array.from(JSON.stringify(texts).matchAll(pattern), ([sentence]) => sentence);
  expect(sentences).toHaveLength(3);
  for (const sentence of sentences) expect(sentence).toContain(condition);
});
