import { describe, expect, it } from "vitest";
import { COUNTRY_CODES } from "../../../common/platform/names/country.ts";
import { countryName } from "../../../common/platform/names/country-name.ts";
import { readCountries, readCountry } from "./country-entry.ts";

describe("countries as entered", () => {
  it("are codes or names, with commas, semicolons, line breaks or, between codes, spaces", () => {
    expect(readCountries("us de\nFrance; South  Korea,,\r\nGB, us")).toEqual({
      codes: ["DE", "FR", "GB", "KR", "US"],
      unknown: [],
    });
  });

  it("are separated from words that name no country", () => {
    expect(readCountries("DE, Atlantis, XX")).toEqual({ codes: ["DE"], unknown: ["Atlantis", "XX"] });
  });

  it("are read back by their names", () => {
    for (const code of COUNTRY_CODES) expect(readCountry(countryName(code))).toBe(code);
  });
});
