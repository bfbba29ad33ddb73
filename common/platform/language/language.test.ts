import { expect, it, vi } from "vitest";
import { eachLanguage, LANGUAGES } from "./language.ts";

it("makes something for a language when it is used first, and once", () => {
  const make = vi.fn((locale: string) => ({ locale }));
  const made = eachLanguage(make);
  expect(Object.keys(made)).toEqual(LANGUAGES);
  expect(make).not.toHaveBeenCalled();
  expect(made.de).toBe(made.de);
  expect(make.mock.calls).toEqual([["de", "de"]]);
  expect(JSON.parse(JSON.stringify(made))).toEqual({ en: { locale: "en-GB" }, de: { locale: "de" } });
});
