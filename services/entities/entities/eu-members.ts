/** The region of a country, as applications are given it. */
export type Region = "unknown" | "other" | "us" | "eu";

/** The member states of the European Union since 2020-02-01, by ISO 3166-1 alpha-2 (Greece is GR). */
const EU = new Set("AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE".split(" "));

/** Returns the region of a country. @param country ISO 3166-1 alpha-2; empty if it isn't known */
export function regionOf(country: string): Region {
  if (country === "") return "unknown";
  if (country === "US") return "us";
  return EU.has(country) ? "eu" : "other";
}
