import { expect, it } from "vitest";
import { ImportLimit } from "./import-limit.ts";

it("lets an account import one list at a time, and a few accounts at once", () => {
  const limit = new ImportLimit();
  const leave = limit.take("a");
  expect(limit.take("a")).toBeUndefined();
  for (const account of ["b", "c", "d"]) expect(limit.take(account)).toBeDefined();
  expect(limit.take("e")).toBeUndefined();
  leave?.();
  expect(limit.take("e")).toBeDefined();
  expect(limit.take("a")).toBeUndefined();
});
