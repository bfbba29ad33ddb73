import { expect, it } from "vitest";
import { ViolationList } from "./violation-list.ts";

it("throws nothing while nothing is wrong", () => {
  expect(() => new ViolationList().throwIfAny()).not.toThrow();
});

it("throws all that was noted, in order", () => {
  const violations = new ViolationList();
  violations.add("a", "a.rule", "must be a");
  violations.add("b[1]", "b.rule", "must be b");
  expect(() => violations.throwIfAny()).toThrow(
    expect.objectContaining({
      code: "invalid_argument",
      message: "a: must be a; b[1]: must be b",
      violations: [
        { field: "a", rule: "a.rule", message: "must be a" },
        { field: "b[1]", rule: "b.rule", message: "must be b" },
      ],
    }),
  );
});

it("throws at the twentieth", () => {
  const violations = new ViolationList();
  for (let i = 0; i < 19; i++) violations.add(`f[${i}]`, "rule", "wrong");
  expect(() => violations.add("f[19]", "rule", "wrong")).toThrow(
    expect.objectContaining({ violations: expect.objectContaining({ length: 20 }) }),
  );
});
