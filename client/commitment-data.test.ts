import { expect, it } from "vitest";
import { isOlder } from "./commitment-data.ts";

it.each([
  ["00000000000000aa-9", "00000000000000aa-10", true],
  ["00000000000000aa-10", "00000000000000aa-10", false],
  ["00000000000000aa-18446744073709551614", "00000000000000aa-18446744073709551615", true],
  ["00000000000000bb-1", "00000000000000aa-10", false],
  ["00000000000000aa-1", "", false],
])("%s is before %s: %s", (id, other, expected) => {
  expect(isOlder(id, other)).toBe(expected);
});
