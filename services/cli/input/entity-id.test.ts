import { expect, it } from "vitest";
import { UsageError } from "../base/cli-error.ts";
import { readEntityId, requireEntityId } from "./entity-id.ts";

it.each([`0x${"0A".repeat(16)}`, "0a".repeat(16), "0a0a0a0a-0a0a-0a0a-0a0a-0a0a0a0a0a0a"])("reads %s", (text) => {
  expect(readEntityId(text)).toEqual(new Uint8Array(16).fill(10));
});

it.each(["", "0x0a", `0x${"0a".repeat(17)}`, "g".repeat(32)])("refuses %j", (text) => {
  expect(readEntityId(text)).toBeUndefined();
  expect(() => requireEntityId(text, "ENTITY-ID")).toThrow(UsageError);
});
