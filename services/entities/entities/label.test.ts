import { expect, it } from "vitest";
import { parseLabel } from "./label.ts";

it.each(["Me", "Alpha GmbH & Co. KG", "Genossenschaft Süd", "株式会社", "🌊".repeat(100)])("takes %s", (label) => {
  expect(parseLabel(`  ${label} `)).toBe(label);
});

it.each([
  ["nothing visible", " \u00a0 "],
  ["a line feed", "Al\npha"],
  ["a right-to-left override", "Al\u202epha"],
  ["a zero-width space", "Al\u200bpha"],
  ["mark-up", "<b>Alpha"],
  ["a link", "https://evil.example"],
  ["an address", "me@example.com"],
  ["101 characters", "a".repeat(101)],
])("refuses %s", (_, label) => {
  expect(() => parseLabel(label)).toThrow(expect.objectContaining({ code: "invalid_argument" }));
});

it("keeps a label that is older than a rule about links", () => {
  expect(parseLabel("Alpha/Beta", "Alpha/Beta")).toBe("Alpha/Beta");
});
