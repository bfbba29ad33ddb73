import { expect, it } from "vitest";
import { signatureBytes } from "./wallet-link.ts";

it.each([
  ["0x00ff", [0, 255]],
  ["0x", []],
  [" 0XFF ".replace("X", "x"), [255]],
  ["2g", [97]],
  ["112", [0, 0, 1]],
  ["1", [0]],
])("reads %j", (text, bytes) => {
  expect(signatureBytes(text)).toStrictEqual(Uint8Array.from(bytes));
});

it.each(["", "0x1", "0", "l", `0x${"00".repeat(8193)}`, "2".repeat(91)])("refuses %j", (text) => {
  expect(signatureBytes(text)).toBeUndefined();
});
