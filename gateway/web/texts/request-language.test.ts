import { describe, expect, it } from "vitest";
import { askedCookie, chosenCookie, hasAskedCookie, requestLanguage } from "./request-language.ts";

const languageOf = (cookie: string | undefined, accepted?: string) =>
  requestLanguage({ headers: { ...(cookie !== undefined && { cookie }), "accept-language": accepted } });

describe("the language of a request", () => {
  it.each([
    [undefined, undefined, "en"],
    [undefined, "de", "de"],
    ["tidemark-language=en", "de", "en"],
    ["a=b; tidemark-language=de", "en", "de"],
    ["tidemark-ui-locale=de", "en", "de"],
    ["tidemark-ui-locale=de; tidemark-language=en", "de", "en"],
    ["tidemark-language=fr; tidemark-ui-locale=de", "en", "de"],
    ["tidemark-language=; tidemark-ui-locale=", "de", "de"],
    ["x-tidemark-language=de", "en", "en"],
    [`tidemark-language=${"d".repeat(5000)}`, "de", "de"],
  ])("with the cookies %s and Accept-Language %s is %s", (cookie, accepted, language) => {
    expect(languageOf(cookie, accepted)).toBe(language);
  });

  it("is kept in a cookie of the site alone, with no more than the language", () => {
    expect(chosenCookie("de", true)).toBe(
      "tidemark-language=de; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax; Secure",
    );
    expect(chosenCookie("en", false)).not.toContain("Secure");
    expect(askedCookie("de", false)).toBe("tidemark-ui-locale=de; Max-Age=3600; Path=/; HttpOnly; SameSite=Lax");
    expect(askedCookie(undefined, false)).toContain("tidemark-ui-locale=; Max-Age=0;");
    expect(hasAskedCookie({ headers: { cookie: "tidemark-ui-locale=de" } })).toBe(true);
    expect(hasAskedCookie({ headers: {} })).toBe(false);
  });
});
