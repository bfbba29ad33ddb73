import { expect, it } from "vitest";
import { failureRefusal, failureText } from "./failure.ts";

const NOW = 1_800_000_000_000;

/** Returns what a page says some seconds after a limit. */
function later(retryAfterSeconds: number, seconds: number, language: "en" | "de" = "en") {
  const refusal = failureRefusal({ kind: "limited", retryAfterSeconds, errorId: "" }, { email: "a" }, NOW);
  return failureText(refusal, language, NOW + seconds * 1_000);
}

it.each([
  [42, 0, "That was tried too often. Please try again in 42 seconds."],
  [42, 40.5, "That was tried too often. Please try again in 2 seconds."],
  [42, 41.5, "That was tried too often. Please try again in a second."],
  [42, 42, "That was tried too often. You can try again now."],
  [60, 0, "That was tried too often. Please try again in a minute."],
  [61, 0, "That was tried too often. Please try again in 2 minutes."],
  [3_600, 600, "That was tried too often. Please try again in 50 minutes."],
])("a limit of %d s is said after %d s as what is left of it", (limit, after, text) => {
  expect(later(limit, after)).toBe(text);
});

it("is said in the language of the page", () => {
  expect(later(42, 0, "de")).toBe("Das wurde zu oft versucht. Bitte versuchen Sie es in 42 Sekunden erneut.");
});

it("is none for what a page refuses by itself", () => {
  expect([failureText(undefined, "en"), failureText({ problem: "email", values: {} }, "en")]).toEqual([
    undefined,
    undefined,
  ]);
});
