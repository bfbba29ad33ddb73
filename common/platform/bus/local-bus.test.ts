import { expect, it } from "vitest";
import { matchesSubject } from "./local-bus.ts";

it.each([
  ["a.b", "a.b", true],
  ["a.b", "a.c", false],
  ["a.b", "a.b.c", false],
  ["a.*", "a.b", true],
  ["a.*", "a", false],
  ["a.*.c", "a.b.c", true],
  ["a.*.c", "a.b.d", false],
  ["a.>", "a.b", true],
  ["a.>", "a.b.c", true],
  ["a.>", "a", false],
  ["b.>", "a.b", false],
])("%s against %s: %s", (pattern, subject, matches) => {
  expect(matchesSubject(pattern, subject)).toBe(matches);
});
