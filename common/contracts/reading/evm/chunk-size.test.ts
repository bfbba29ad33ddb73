import { describe, expect, it } from "vitest";
import { ChunkSize } from "./chunk-size.ts";

/** Lets a node with a limit of `limit` rows answer `calls` times. @returns the requested sizes. */
function sizesAskedFor(size: ChunkSize, limit: number, calls: number): readonly number[] {
  return Array.from({ length: calls }, () => {
    const { rows } = size;
    if (rows <= limit) size.succeeded(rows);
    else size.failed(rows);
    return rows;
  });
}

describe("ChunkSize", () => {
  it("halves down to one row, and then says that there is no smaller size", () => {
    const size = new ChunkSize(5);
    expect([size.failed(5), size.rows, size.failed(2), size.rows, size.failed(1), size.rows]).toEqual([
      true,
      2,
      true,
      1,
      false,
      1,
    ]);
  });

  it("grows back, but never beyond its first size", () => {
    const size = new ChunkSize(1000);
    size.failed(1000);
    expect(sizesAskedFor(size, 5000, 5)).toEqual([500, 625, 782, 891, 891]);
    sizesAskedFor(size, 5000, 100);
    expect(size.rows).toBe(1000);
  });

  it("seldom repeats a size that was refused", () => {
    const size = new ChunkSize(1000);
    const sizes = sizesAskedFor(size, 300, 400);
    expect(sizes.filter((rows) => rows > 300).length).toBeLessThan(25);
    expect(size.rows).toBeGreaterThan(200);
  });

  it("isn't changed by requests that are smaller than it allows", () => {
    const size = new ChunkSize(100);
    size.failed(100);
    size.succeeded(3);
    expect(size.rows).toBe(50);
  });
});
