import { describe, expect, it } from "vitest";
import { parseBlock } from "./block.ts";

const hashes = { hash: `0x${"a".repeat(64)}`, parentHash: `0x${"b".repeat(64)}` };

describe("a block of a node's answer", () => {
  it("has the largest number that can be stored", () => {
    expect(parseBlock({ number: "0x7fffffffffffffff", ...hashes })).toMatchObject({ number: 2n ** 63n - 1n });
  });

  it.each(["0x8000000000000000", "0xffffffffffffffff", "0x1ffffffffffffffff", "", 7, undefined])(
    "isn't one with the number %s",
    (number) => {
      expect(parseBlock({ number, ...hashes })).toBeUndefined();
    },
  );
});
