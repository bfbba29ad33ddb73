import { LANGUAGES } from "../../../common/platform/language/language.ts";
import { COUNTRY_CODES, isCountryCode } from "../../../common/platform/names/country.ts";
import { countryName } from "../../../common/platform/names/country-name.ts";

/** Codes by their names, in lower case. */
let codesByName: ReadonlyMap<string, string> | undefined;

/** Countries as entered, and those entries that are none. */
export interface EnteredCountries {
  /** ISO 3166-1 alpha-2, each once, in alphabetical order. */
  readonly codes: readonly string[];
  readonly unknown: readonly string[];
}

/** Reads one country: a code such as `DE`, in either case, or its name in any of our languages. */
export function readCountry(text: string): string | undefined {
  const code = text.toUpperCase();
  return isCountryCode(code) ? code : codeOfName(text.toLowerCase());
}

/** Reads countries with commas, semicolons or line breaks between them; between codes, spaces are enough. */
export function readCountries(text: string): EnteredCountries {
  const entries = text.split(/[,;\r\n]+/).flatMap((entry) => {
    const trimmed = entry.trim().replaceAll(/\s+/g, " ");
    return /^[A-Za-z]{2}(?: [A-Za-z]{2})+$/.test(trimmed) ? trimmed.split(" ") : trimmed === "" ? [] : [trimmed];
  });
  const codes = new Set<string>();
  const unknown: string[] = [];
  for (const entry of entries) {
    const code = readCountry(entry);
    if (code === undefined) unknown.push(entry);
    else codes.add(code);
  }
  return { codes: [...codes].toSorted(), unknown };
}

/** The names take long to make, so that it is done for the first reader who enters one. */
function codeOfName(name: string): string | undefined {
  codesByName ??= new Map(
    LANGUAGES.flatMap((language) => COUNTRY_CODES.map((code) => [countryName(code, language).toLowerCase(), code])),
  );
  return codesByName.get(name);
}
