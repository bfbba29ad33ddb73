import { afterEach, describe, expect, it, vi } from "vitest";
import { matchesPattern } from "./message-validator.ts";

afterEach(() => void vi.restoreAllMocks());

describe("matchesPattern", () => {
  it.each([
    ["^[0-9]{1,3}$", "123", true],
    ["^[0-9]{1,3}$", "1234", false],
    ["b", "abc", true],
    ["^a$", "a\n", false],
    ["^a$", "b\na", false],
    // By code points, as RE2 does.
    ["^.$", "\u{1f600}", true],
    ["^\\p{L}+$", "\u{e4}\u{3b1}", true],
  ])("%s on %j is %s", (pattern, text, expected) => {
    expect(matchesPattern(pattern, text)).toBe(expected);
  });

  it("gives the same answer each time, whatever it was asked between", () => {
    const texts = ["aaa", "b", "aaa", ""];
    expect(texts.map((text) => matchesPattern("^a+$", text))).toEqual([true, false, true, false]);
    expect(matchesPattern("^b+$", "b")).toBe(true);
    expect(matchesPattern("^a+$", "b")).toBe(false);
  });

  it("compiles each pattern once", () => {
    const compiled = vi.spyOn(globalThis, "RegExp");
    for (const text of ["x1", "x2", "y"]) matchesPattern("^x[0-9]$", text);
    expect(compiled).toHaveBeenCalledTimes(1);
  });

  it("throws at a pattern that is none", () => {
    expect(() => matchesPattern("(", "x")).toThrow(SyntaxError);
  });
});
