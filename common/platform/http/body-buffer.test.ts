import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BodyBuffer } from "./body-buffer.ts";

describe("BodyBuffer", () => {
  it("holds what came, however it was divided", () => {
    const chunks = fc.array(fc.uint8Array({ minLength: 0, maxLength: 40 }), { maxLength: 60 });
    fc.assert(
      fc.property(chunks, (parts) => {
        const buffer = new BodyBuffer(4_096);
        for (const part of parts) expect(buffer.add(part)).toBe(true);
        expect(buffer.bytes).toEqual(Buffer.concat(parts));
      }),
    );
  });

  it("never changes a chunk that it was given", () => {
    const [first, backing] = [Buffer.from("first"), Buffer.alloc(64)];
    first.copy(backing);
    const buffer = new BodyBuffer(64);
    buffer.add(backing.subarray(0, 5));
    buffer.add(Buffer.from("second"));
    expect(backing.toString()).toBe(`first${"\0".repeat(59)}`);
  });

  it("refuses one byte too many", () => {
    const buffer = new BodyBuffer(10);
    expect([buffer.add(Buffer.alloc(10)), buffer.add(Buffer.alloc(0)), buffer.add(Buffer.alloc(1))]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it.each([
    ["single bytes", 1, 68],
    ["15 bytes each", 15, 1_024],
    ["16 bytes each", 16, 65_536],
    ["nothing each", 0, 64],
  ])("takes chunks of %s as long as there are few of them", (_, size, accepted) => {
    const buffer = new BodyBuffer(2 ** 20);
    let count = 0;
    while (count < 65_536 && buffer.add(Buffer.alloc(size))) count += 1;
    expect(count).toBe(accepted);
  });
});
