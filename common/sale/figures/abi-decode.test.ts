import fc from "fast-check";
import { encodeAbiParameters } from "viem/utils";
import { describe, expect, it } from "vitest";
import { type AbiParameter, abiMembers } from "../definition/abi-type.ts";
import { AbiDecodingError, type AbiValue, decodeAbi } from "./abi-decode.ts";

const AMPLE = 1_000_000;

function fromHex(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex.replace(/^0x/, ""), "hex"));
}

/** Words of 32 bytes, each a number or hex digits that are padded on the left. */
function words(...values: readonly (number | string)[]): Uint8Array {
  return fromHex(
    values.map((value) => (typeof value === "number" ? value.toString(16) : value).padStart(64, "0")).join(""),
  );
}

function decode(types: readonly string[], data: Uint8Array, maxCharacters = AMPLE): AbiValue[] {
  const members = abiMembers(types.map((type) => ({ type })));
  return Object.values(decodeAbi(members, data, maxCharacters));
}

/** A parameter with a value as viem wants it to encode, and as it should come out. */
interface Sample {
  readonly parameter: AbiParameter;
  readonly input: unknown;
  readonly output: AbiValue;
}

const hexOf = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString("hex")}`;
const bytesOf = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

const integers = fc.tuple(fc.integer({ min: 1, max: 32 }), fc.boolean()).chain(([bytes, signed]) => {
  const bits = bytes * 8;
  const range = signed
    ? { min: -(2n ** BigInt(bits - 1)), max: 2n ** BigInt(bits - 1) - 1n }
    : { min: 0n, max: 2n ** BigInt(bits) - 1n };
  const type = `${signed ? "" : "u"}int${bits}`;
  return fc.bigInt(range).map((value) => ({ parameter: { type }, input: value, output: value.toString() }));
});

const simple: fc.Arbitrary<Sample> = fc.oneof(
  integers,
  fc.boolean().map((input) => ({ parameter: { type: "bool" }, input, output: input })),
  bytesOf(20).map((bytes) => ({ parameter: { type: "address" }, input: hexOf(bytes), output: hexOf(bytes) })),
  fc
    .uint8Array({ maxLength: 80 })
    .map((bytes) => ({ parameter: { type: "bytes" }, input: hexOf(bytes), output: hexOf(bytes) })),
  fc.string({ unit: "grapheme" }).map((input) => ({ parameter: { type: "string" }, input, output: input })),
  fc
    .integer({ min: 1, max: 32 })
    .chain(bytesOf)
    .map((bytes) => ({ parameter: { type: `bytes${bytes.length}` }, input: hexOf(bytes), output: hexOf(bytes) })),
);

function tupleOf(members: readonly Sample[]): Sample {
  const named = members.map(({ parameter }, index) => ({ ...parameter, name: `m${index}` }));
  const objectOf = <Value>(pick: (sample: Sample) => Value) =>
    Object.fromEntries(members.map((member, index) => [`m${index}`, pick(member)]));
  return {
    parameter: { type: "tuple", components: named },
    input: objectOf(({ input }) => input),
    output: objectOf(({ output }) => output),
  };
}

/** An array of one sample over and over: all elements are of one type. */
function arrayOf({ parameter, input, output }: Sample, length: number, fixed: boolean): Sample {
  return {
    parameter: { ...parameter, type: `${parameter.type}[${fixed ? length : ""}]` },
    input: Array.from({ length }, () => input),
    output: Array.from({ length }, () => output),
  };
}

function nested(depth: number): fc.Arbitrary<Sample> {
  if (depth === 0) return simple;
  const inner = nested(depth - 1);
  return fc.oneof(
    simple,
    fc.array(inner, { minLength: 1, maxLength: 4 }).map(tupleOf),
    fc.tuple(inner, fc.nat(3)).map(([sample, length]) => arrayOf(sample, length, false)),
    fc.tuple(inner, fc.integer({ min: 1, max: 3 })).map(([sample, length]) => arrayOf(sample, length, true)),
  );
}

describe("decodeAbi", () => {
  it("decodes what another implementation encodes", () => {
    fc.assert(
      fc.property(fc.array(nested(3), { minLength: 1, maxLength: 4 }), (samples) => {
        const parameters = samples.map(({ parameter }) => parameter);
        const encoded = encodeAbiParameters(parameters, samples.map(({ input }) => input) as never);
        const decoded = decodeAbi(abiMembers(parameters), fromHex(encoded), AMPLE);
        expect(Object.values(decoded)).toEqual(samples.map(({ output }) => output));
      }),
      { numRuns: 300 },
    );
  });

  it("gives elements of an array in order", () => {
    expect(decode(["uint8[]", "bool"], words(64, 1, 3, 7, 8, 9))).toEqual([["7", "8", "9"], true]);
  });

  it("ignores data after the last value", () => {
    expect(decode(["uint8"], words(7, 8))).toEqual(["7"]);
  });

  it("replaces what isn't UTF-8 and keeps a byte order mark", () => {
    const text = (hex: string) =>
      decode(["string"], new Uint8Array([...words(32, hex.length / 2), ...fromHex(hex.padEnd(64, "0"))]));
    expect(text("61ff62")).toEqual(["a\u{fffd}b"]);
    expect(text("eda080")).toEqual(["\u{fffd}\u{fffd}\u{fffd}"]);
    expect(text("efbbbf61")).toEqual(["\u{feff}a"]);
  });

  const all = "f".repeat(64);
  it.each<[string, readonly string[], Uint8Array]>([
    ["no data", ["uint8"], new Uint8Array()],
    ["half a word", ["uint8"], new Uint8Array(16)],
    ["one word of two", ["uint8", "uint8"], words(1)],
    ["an integer above its type", ["uint8"], words(256)],
    ["an integer below its type", ["int8"], words(`${"f".repeat(62)}7f`)],
    ["a signed integer above its type", ["int8"], words(128)],
    ["a bool of 2", ["bool"], words(2)],
    ["an address of 21 bytes", ["address"], words("01".padEnd(42, "0"))],
    ["5 bytes as bytes4", ["bytes4"], words("0102030405".padEnd(64, "0"))],
    ["an offset beyond the data", ["bytes"], words(64, 0)],
    ["the largest offset", ["bytes"], words(all, 0)],
    ["a length beyond the data", ["bytes"], words(32, 33, 0)],
    ["the largest length", ["string"], words(32, all)],
    ["the largest number of elements", ["uint8[]"], words(32, all)],
    ["more elements than data", ["uint8[]"], words(32, 2, 1)],
    ["a fixed array beyond any length of an array", ["string[4294967296]"], words(32, 0)],
    ["a fixed array that ends early", ["uint8[3]"], words(1, 2)],
  ])("refuses %s", (_, types, data) => {
    expect(() => decode(types, data)).toThrow(AbiDecodingError);
  });

  it("bounds values that share their data", () => {
    const elements = 1000;
    const offsets = Array.from({ length: elements }, () => elements * 32);
    const data = words(32, elements, ...offsets, 4, "aabbccdd".padEnd(64, "0"));
    const characters = elements * (16 + "0xaabbccdd".length) + 16 + "0".length;
    expect(decode(["bytes[]"], data, characters)).toEqual([Array.from({ length: elements }, () => "0xaabbccdd")]);
    expect(() => decode(["bytes[]"], data, characters - 1)).toThrow("too large");
  });

  it("bounds names that repeat", () => {
    const members = abiMembers([
      { type: "tuple[]", name: "list", components: [{ type: "bool", name: "n".repeat(1000) }] },
    ]);
    const data = words(32, 9, ...Array.from({ length: 9 }, () => 1));
    expect(() => decodeAbi(members, data, 9000)).toThrow("too large");
    expect(decodeAbi(members, data, 9400)).toHaveProperty("list.length", 9);
  });

  it("either decodes or says that it can't, whatever the data", () => {
    const word = fc.oneof(fc.nat(300), fc.constantFrom(0, 32, 64, 96, 128), fc.constant(all));
    const types = ["bytes", "string[]", "uint8[][2]", "address", "int16[]"];
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), fc.nat(31), (values, cut) => {
        const data = words(...values);
        try {
          decode(types, data.subarray(0, Math.max(0, data.length - cut)), 10_000);
        } catch (error) {
          expect(error).toBeInstanceOf(AbiDecodingError);
        }
      }),
    );
  });
});
