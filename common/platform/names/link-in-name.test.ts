import { describe, expect, it } from "vitest";
import { hasLinkParts, withoutLinkParts } from "./link-in-name.ts";

describe("hasLinkParts", () => {
  it.each([
    "Log in at https://evil.example",
    "Log in at www.evil.example",
    "WWW.EVIL.EXAMPLE",
    "help@evil.example",
    "evil.example/login",
    "Tide / mark",
    "ｗｗｗ．evil.example",
    "help＠evil.example",
    "evil.example／login",
    "w\u200bww.evil.example",
  ])("finds them in %j", (name) => {
    expect(hasLinkParts(name)).toBe(true);
  });

  it.each(["pump.fun", "Tidemark 2.0", "WWW", "Käuferportal (beta)", "½ off", "a: b", "売り出し"])(
    "finds none in %j",
    (name) => {
      expect(hasLinkParts(name)).toBe(false);
    },
  );

  it("answers the same each time", () => {
    expect([hasLinkParts("a@b"), hasLinkParts("a@b"), hasLinkParts("a@b")]).toEqual([true, true, true]);
  });
});

it("withoutLinkParts leaves none", () => {
  expect(withoutLinkParts("https://www.evil.example/a@b")).toBe("https  evil.example a b");
  expect(withoutLinkParts("pump.fun")).toBe("pump.fun");
});
