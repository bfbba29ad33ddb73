import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quotedName } from "./safe-text.ts";

describe("quotedName", () => {
  it.each([
    ["Acme Sale", "Acme Sale"],
    ["  Größe \u{1f680}  ", "Größe \u{1f680}"],
    ["Acme\r\nBcc: a@example.com", "Acme Bcc: a example.com"],
    ["\u202eevil\u2066", "evil"],
    ["\u001b[31mred", "[31mred"],
    ["a\u2028b\u2029c", "a b c"],
    ["go to https://www.evil.example/now", "go to https evil.example now"],
    ['A” B “C« D" „E', "A' B 'C' D' 'E"],
    ["pump.fun", "pump.fun"],
  ])("%j becomes “%s”", (text, name) => {
    expect(quotedName(text)).toBe(`“${name}”`);
  });

  it("cuts long names between characters", () => {
    expect(quotedName("\u{1f680}".repeat(101))).toBe(`“${"\u{1f680}".repeat(100)}…”`);
    expect(quotedName("n".repeat(100))).toBe(`“${"n".repeat(100)}”`);
  });

  it("is one visible line, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(quotedName(text)).toMatch(/^“[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}“”"@/]*”$/u);
      }),
    );
  });
});
