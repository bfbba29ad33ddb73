import fc from "fast-check";
import { encodeAbiParameters, parseAbiParameters } from "viem/utils";
import { describe, expect, it } from "vitest";
import { createExtraDataParser } from "./extra-data.ts";

function encode(parameters: string, ...values: readonly unknown[]): Uint8Array {
  const hex = encodeAbiParameters(parseAbiParameters(parameters), values as never);
  return Uint8Array.from(Buffer.from(hex.slice(2), "hex"));
}

describe("createExtraDataParser", () => {
  it("gives every value by its name, in a form that JSON holds exactly", async () => {
    const parameters =
      "uint64 tier, int256 delta, address referrer, bool vip, bytes4 tag, bytes blob, string note, uint8[] list, (bool a, uint8) pair";
    const parse = await createExtraDataParser(parameters);
    const data = encode(
      parameters,
      2n ** 64n - 1n,
      -(2n ** 255n),
      "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
      true,
      "0xdeadbeef",
      "0x",
      "grüße",
      [1, 2],
      [true, 9],
    );
    expect(parse(data)).toEqual({
      tier: "18446744073709551615",
      delta: `-${2n ** 255n}`,
      referrer: "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
      vip: true,
      tag: "0xdeadbeef",
      blob: "0x",
      note: "grüße",
      list: ["1", "2"],
      pair: { a: true, "1": "9" },
    });
  });

  it("keeps names that objects have of their own", async () => {
    const parse = await createExtraDataParser("bool toString, bool hasOwnProperty");
    expect(parse(encode("bool a, bool b", true, false))).toEqual({ toString: true, hasOwnProperty: false });
  });

  it.each([
    ["without parameters", ""],
    ["with parameters that aren't valid", "uint65 tier"],
  ])("answers {} %s", async (_, parameters) => {
    const parse = await createExtraDataParser(parameters);
    expect(parse(encode("uint64 tier", 5n))).toEqual({});
  });

  it("answers {} for data that doesn't decode", async () => {
    const parse = await createExtraDataParser("uint64 tier, string note");
    expect(parse(new Uint8Array())).toEqual({});
    expect(parse(encode("uint64 tier", 5n))).toEqual({});
    expect(parse(new Uint8Array(64).fill(0xff))).toEqual({});
  });

  it("answers {} for data beyond 64 KiB", async () => {
    const parse = await createExtraDataParser("uint64 tier");
    const data = new Uint8Array(65_537);
    expect(parse(data)).toEqual({});
    expect(parse(data.subarray(1))).toEqual({ tier: "0" });
  });

  it("answers {} for data that decodes to more than 131,072 characters", async () => {
    const parse = await createExtraDataParser("bytes[] blobs");
    const elements = 33;
    const blob = encode("bytes blob", `0x${"ab".repeat(2000)}`).subarray(32);
    const data = new Uint8Array((2 + elements) * 32 + blob.length);
    const view = new DataView(data.buffer);
    view.setUint32(28, 32);
    view.setUint32(60, elements);
    for (let i = 0; i < elements; i++) view.setUint32((2 + i) * 32 + 28, elements * 32);
    data.set(blob, (2 + elements) * 32);
    expect(parse(data)).toEqual({});

    view.setUint32(60, 32);
    expect(parse(data)).toEqual({ blobs: Array.from({ length: 32 }, () => `0x${"ab".repeat(2000)}`) });
  });

  it("never throws", async () => {
    const parse = await createExtraDataParser("string[] notes, (bytes data, int24[2])[] pairs, address[3] last");
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (data) => {
        expect(parse(data)).toBeTypeOf("object");
      }),
    );
  });
});
