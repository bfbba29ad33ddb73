import { describe, expect, it } from "vitest";
import { BATCH_SIZE, inBatches } from "./batches.ts";

const list = (length: number) => Array.from({ length }, (_, index) => index);

describe("inBatches", () => {
  it.each([
    ["nothing for an empty list", 0, []],
    ["one part", 2, [2]],
    ["a full part", 3, [3]],
    ["full parts and the rest", 7, [3, 3, 1]],
  ])("gives %s", (_, length, sizes) => {
    const parts = [...inBatches(list(length), 3)];
    expect(parts.map((part) => part.length)).toEqual(sizes);
    expect(parts.flat()).toEqual(list(length));
  });

  it("cuts at the default number of rows of a statement", () => {
    expect([...inBatches(list(BATCH_SIZE + 1))].map((part) => part.length)).toEqual([BATCH_SIZE, 1]);
  });
});
