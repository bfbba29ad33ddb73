import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseUuid, uuidFromBytes } from "./uuid.ts";

const text = "0189abcd-ef01-7234-8567-89abcdef0123";
const bytes = Uint8Array.of(
  0x01,
  0x89,
  0xab,
  0xcd,
  0xef,
  0x01,
  0x72,
  0x34,
  0x85,
  0x67,
  0x89,
  0xab,
  0xcd,
  0xef,
  0x01,
  0x23,
);

describe("parseUuid", () => {
  it("takes any case and gives lower case", () => {
    expect(parseUuid(text)).toBe(text);
    expect(parseUuid("0189ABCD-EF01-7234-8567-89AbCdEf0123")).toBe(text);
  });

  it("takes any version, nil and max included", () => {
    for (const digit of ["0", "f"]) {
      const uniform = "00000000-0000-0000-0000-000000000000".replaceAll("0", digit);
      expect(parseUuid(uniform)).toBe(uniform);
    }
  });

  it.each([
    ["nothing", ""],
    ["no hyphens", text.replaceAll("-", "")],
    ["braces", `{${text}}`],
    ["a URN", `urn:uuid:${text}`],
    ["a trailing newline", `${text}\n`],
    ["a leading space", ` ${text}`],
    ["a digit too few", text.slice(0, -1)],
    ["a digit too many", `${text}0`],
    ["a letter that is no digit", text.replace("a", "g")],
    ["a full-width digit", text.replace("1", "１")],
    ["a hyphen at the wrong place", "0189abcde-f01-7234-8567-89abcdef0123"],
  ])("refuses %s", (_, wrong) => {
    expect(parseUuid(wrong)).toBeUndefined();
  });
});

describe("UUID bytes", () => {
  it("are in network order", () => {
    expect(uuidFromBytes(bytes)).toBe(text);
  });

  it("are read from the middle of a buffer", () => {
    const around = new Uint8Array(32).fill(0xff);
    around.set(bytes, 5);
    expect(uuidFromBytes(around.subarray(5, 21))).toBe(text);
  });

  it("come back from the text, in any case", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (any) => {
        const uuid = uuidFromBytes(any);
        expect(parseUuid(uuid.toUpperCase())).toBe(uuid);
      }),
    );
  });

  it.each([0, 15, 17])("refuse to be %i", (length) => {
    expect(() => uuidFromBytes(new Uint8Array(length))).toThrow("16 bytes");
  });
});
