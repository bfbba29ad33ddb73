import { expect, it } from "vitest";
import { timeText } from "./browser/times.js";
import { utcText } from "./browser/times-view.js";
import { inLanguage } from "./view/in-language.ts";

const AT = "2026-01-31T12:00:01Z";

it.each([
  ["en", "second", "31 Jan 2026, 12:00:01"],
  ["en", "minute", "31 Jan 2026, 12:00"],
  ["en", "day", "31 Jan"],
  ["en", "clock", "12:00"],
  ["en", "clockSecond", "12:00:01"],
  ["de", "second", "31.01.2026, 12:00:01"],
  ["de", "minute", "31.01.2026, 12:00"],
  ["de", "day", "31. Jan."],
] as const)("writes a time in %s to the %s on the server, which has UTC: %s", (language, shape, text) => {
  expect(inLanguage(language, () => timeText(AT, shape))).toBe(text);
  expect(inLanguage(language, () => timeText(Date.parse(AT), shape))).toBe(text);
});

it("says UTC where that is meant whatever the reader's time zone is", () => {
  expect(inLanguage("en", () => utcText(AT))).toBe("31 Jan 2026, 12:00:01 UTC");
});
