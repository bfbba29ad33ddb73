import { describe, expect, it } from "vitest";
import { hexOfBytes, messageBytes } from "./hex.ts";

describe("hexOfBytes and messageBytes", () => {
  it("look at the view, not at the buffer behind it", () => {
    const view = new Uint8Array([1, 2, 0xab, 4]).subarray(2, 3);
    expect(hexOfBytes(view)).toBe("ab");
    expect(messageBytes("00ff")).toEqual(new Uint8Array([0, 255]));
    expect([hexOfBytes(new Uint8Array()), messageBytes("")]).toEqual(["", new Uint8Array()]);
  });
});
