import { expect, it } from "vitest";
import { isBase64urlOf32Bytes } from "./base64url.ts";

it("takes each 32 bytes in one spelling only", () => {
  for (const byte of [0, 1, 254, 255]) {
    expect(isBase64urlOf32Bytes(Buffer.alloc(32, byte).toString("base64url"))).toBe(true);
  }
  const zeros = "A".repeat(43);
  const others = [
    "",
    zeros.slice(1),
    `${zeros}A`,
    `${zeros}=`,
    `${zeros.slice(1)}B`,
    `${zeros.slice(1)}+`,
    `${zeros}\n`,
  ];
  expect(others.filter(isBase64urlOf32Bytes)).toEqual([]);
});
