import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mysqlLiteral } from "./mysql-literal.ts";

const ESCAPES = new Map(Object.entries({ 0: "\0", b: "\b", t: "\t", n: "\n", r: "\r", Z: "\x1a" }));

/** The text that MySQL reads from a string literal, with backslash escapes on. */
function meaningOf(literal: string): string {
  const body = /^'((?:[^'\\]|\\.)*)'$/s.exec(literal)?.[1];
  if (body === undefined) throw new Error(`${literal} isn't one literal`);
  return body.replaceAll(/\\(.)/gs, (_, character: string) => ESCAPES.get(character) ?? character);
}

describe("a literal", () => {
  it.each([
    [null, "NULL"],
    ["", "''"],
    ["[1,2] {x}", "'[1,2] {x}'"],
    ["it's", "'it\\'s'"],
    ["a\\b", "'a\\\\b'"],
    ["0\0\n\r\x1a", "'0\\0\\n\\r\\Z'"],
    ["ü", "'ü'"],
    [0, "0"],
    [-7, "-7"],
    [2n ** 64n - 1n, "18446744073709551615"],
    [-(2n ** 63n), "-9223372036854775808"],
    [Buffer.from([0, 0x27, 0xff]), "x'0027ff'"],
    [new Uint8Array(0), "x''"],
    [new Uint8Array([1, 2, 3, 4]).subarray(1, 3), "x'0203'"],
  ])("of a value is $1", (value, literal) => {
    expect(mysqlLiteral(value)).toBe(literal);
  });

  it("of a string means that string, and ends where it ends", () => {
    const characters = fc.constantFrom("'", "\\", "\0", "\n", "\x1a", '"', "%", "?", "ä", "\u{1f600}", "a");
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: characters }), fc.string({ unit: "binary" })), (text) => {
        expect(meaningOf(mysqlLiteral(text))).toBe(text);
      }),
    );
  });

  it.each([
    ["a fraction", 1.5],
    ["an unsafe integer", 2 ** 53],
    ["nothing", undefined],
    ["a flag", true],
    ["an object", { toString: () => "1" }],
    ["a list", [1]],
    ["a date", new Date(0)],
  ])("isn't made of %s", (_, value) => {
    expect(() => mysqlLiteral(value)).toThrow(TypeError);
  });
});
