import { expect, it } from "vitest";
import { UsageError } from "../base/cli-error.ts";
import { limitOf } from "./limit.ts";

const input = (limit?: string) => ({ positionals: [], text: () => limit, texts: () => [], flag: () => false });

it.each([
  [undefined, 100],
  ["1", 1],
  ["999999999", 999_999_999],
])("reads %s", (text, limit) => {
  expect(limitOf(input(text))).toBe(limit);
});

it.each(["", "0", "-1", "1.5", "all", "1000000000"])("refuses %j", (text) => {
  expect(() => limitOf(input(text))).toThrow(UsageError);
});
