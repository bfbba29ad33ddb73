import { describe, expect, it } from "vitest";
import { languageSwitch, switchAddress } from "./language-switch.ts";

describe("the switch of languages", () => {
  it.each([
    ["/sign-in?set_language=de", { language: "de", address: "/sign-in" }],
    ["/sign-in?next=email&set_language=en&again=1", { language: "en", address: "/sign-in?next=email&again=1" }],
    ["/sign-in?set_language=de&set_language=en", { language: "de", address: "/sign-in" }],
    [
      "/oauth/continue?authorization=a%26b&set_language=de",
      { language: "de", address: "/oauth/continue?authorization=a%26b" },
    ],
    ["/sign-in", undefined],
    ["/sign-in?set_language=", undefined],
    ["/sign-in?set_language=fr", undefined],
    ["/sign-in?set_language=de-DE", undefined],
    ["/sign-in?next=set_language", undefined],
  ])("reads %s", (target, wish) => {
    expect(languageSwitch(target)).toStrictEqual(wish);
  });

  it.each(["//evil.example/?set_language=de", "/\\evil.example/?set_language=de", "/%2fevil.example?set_language=de"])(
    "never leads to another host: %s",
    (target) => {
      const address = languageSwitch(target)?.address ?? "/";
      expect(new URL(address, "https://own.example").origin).toBe("https://own.example");
    },
  );

  it("keeps the page's own parameters, and forgets an earlier wish", () => {
    expect(switchAddress("/sign-in?next=email", "de")).toBe("/sign-in?next=email&set_language=de");
    expect(switchAddress("/sign-in?set_language=en", "de")).toBe("/sign-in?set_language=de");
    const back = languageSwitch(switchAddress("/oauth/continue?authorization=a%26b", "de"));
    expect(back?.address).toBe("/oauth/continue?authorization=a%26b");
  });
});
