import fc from "fast-check";
import { expect, it } from "vitest";
import { foldedText } from "./about.ts";

it("leaves a short text whole", () => {
  expect(foldedText("One line.\nAnother.")).toEqual(["One line.\nAnother.", ""]);
  expect(foldedText("word ".repeat(75).trim())[1]).toBe("");
});

it("divides between words", () => {
  const [shown, rest] = foldedText("word ".repeat(200).trim());
  expect(shown).toMatch(/^(?:word )+word$/);
  expect(rest).toMatch(/^(?:word )+word$/);
});

it("divides after five lines", () => {
  expect(foldedText("1\n2\n3\n4\n5\n6\n7")).toEqual(["1\n2\n3\n4\n5", "6\n7"]);
});

it("loses nothing but the space between, and cuts no character", () => {
  const text = fc.array(fc.constantFrom("word", "🌊", " ", "\n", "a".repeat(400)), { maxLength: 200 });
  fc.assert(
    fc.property(text, (parts) => {
      const whole = parts.join("").trim();
      const [shown, rest] = foldedText(whole);
      expect((shown + rest).replace(/\s/g, "")).toBe(whole.replace(/\s/g, ""));
      expect(shown.isWellFormed() && rest.isWellFormed()).toBe(true);
    }),
  );
});
