import { describe, expect, it } from "vitest";
import { COUNTRY_CODES, isCountryCode } from "./country.ts";

describe("the country codes", () => {
  it("are 249 different ones in order", () => {
    expect(COUNTRY_CODES).toHaveLength(249);
    expect(COUNTRY_CODES).toEqual([...new Set(COUNTRY_CODES)].toSorted());
  });

  it("all have a name", () => {
    const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
    expect(COUNTRY_CODES.filter((code) => names.of(code) === undefined)).toEqual([]);
  });

  it.each(["DE", "US", "AX", "ZW"])("contain %s", (code) => {
    expect(isCountryCode(code)).toBe(true);
  });

  // Reserved, withdrawn, of regions, or no code at all.
  it.each(["UK", "EU", "XK", "AN", "SU", "DD", "ZZ", "XX", "de", "DEU", "D", "", " DE", "toString"])(
    "don't contain %j",
    (code) => {
      expect(isCountryCode(code)).toBe(false);
    },
  );
});
