import { expect, it } from "vitest";
import { heightRead } from "./height-read.ts";

it("is the later one of what was applied and what was reported", () => {
  const [early, late] = [{ height: 5n }, { height: 9n }];
  expect(heightRead(early, late)).toBe(9n);
  expect(heightRead(late, early)).toBe(9n);
  expect(heightRead(early, undefined)).toBe(5n);
  expect(heightRead(undefined, late)).toBe(9n);
  expect(heightRead(undefined, undefined)).toBeUndefined();
});
