import fc from "fast-check";
import { expect, it } from "vitest";
import { LANGUAGES } from "../../../common/platform/language/language.ts";
import { withPageLanguage } from "../../web/texts/page-language.ts";
import { readTokenUnits, tokenUnitsEntry } from "./token-units.ts";

it("refuses 5.000 on a German page, in German, and reads it on an English one", () => {
  expect(withPageLanguage("de", () => readTokenUnits("5.000", 18))).toMatchObject({
    reason: "Geben Sie 5000 oder 5.0000 ein, je nachdem, was gemeint ist",
  });
  expect(withPageLanguage("en", () => readTokenUnits("5.000", 18))).toEqual({ units: 5n * 10n ** 18n });
});

it.each(LANGUAGES)("reads back what a form in %s shows", (language) => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 15n), fc.nat({ max: 18 }), (units, decimals) => {
      const back = withPageLanguage(language, () => readTokenUnits(tokenUnitsEntry(String(units), decimals), decimals));
      expect(back).toEqual({ units });
    }),
  );
});
