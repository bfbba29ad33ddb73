import fc from "fast-check";
import { expect, it } from "vitest";
import { arbitraryRules } from "../testing/arbitrary-rules.ts";
import { DEFAULT_RULES } from "./participation-rules.ts";
import { rulesOfText, rulesText } from "./rules-text.ts";

it("keeps rules exactly, and absent bounds absent", () => {
  expect(rulesOfText(rulesText(DEFAULT_RULES))).toStrictEqual(DEFAULT_RULES);
  fc.assert(
    fc.property(arbitraryRules, (rules) => {
      expect(rulesOfText(rulesText(rules))).toStrictEqual(rules);
    }),
  );
});
