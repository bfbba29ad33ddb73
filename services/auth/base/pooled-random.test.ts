import { describe, expect, it } from "vitest";
import { pooledRandomBytes } from "./pooled-random.ts";

describe("pooledRandomBytes", () => {
  it("never gives the same bytes twice, also across pools, and leaves those given unchanged", () => {
    const given = Array.from({ length: 1_000 }, () => pooledRandomBytes(32));
    const texts = given.map((bytes) => bytes.toString("hex"));
    expect(new Set(texts).size).toBe(1_000);
    expect(texts.every((text) => text.length === 64)).toBe(true);
    expect(given.map((bytes) => bytes.toString("hex"))).toEqual(texts);
  });

  it("gives the length that is asked for at the end of a pool", () => {
    expect(Array.from({ length: 300 }, () => pooledRandomBytes(100).length)).toEqual(Array(300).fill(100));
  });
});
