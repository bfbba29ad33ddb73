import { randomBytes } from "node:crypto";
import { keccak_256 } from "@noble/hashes/sha3";
import { describe, expect, it } from "vitest";
import { keccak256, loadFastKeccak } from "./keccak.ts";

const LENGTHS = [0, 1, 40, 135, 136, 137, 272, 476, 5_000];

describe("keccak256", () => {
  it("hashes alike before and after the fast one is loaded, in whatever order", async () => {
    const inputs = LENGTHS.map((length) => randomBytes(length));
    const before = inputs.map(keccak256);
    await loadFastKeccak();
    expect(inputs.map(keccak256)).toEqual(before);
    expect(inputs.toReversed().map(keccak256)).toEqual(before.toReversed());
    expect(before).toEqual(inputs.map((input) => keccak_256(input)));
  });
});
