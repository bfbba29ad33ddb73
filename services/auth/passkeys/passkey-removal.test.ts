import { describe, expect, it } from "vitest";
import { checkRemoval } from "./remove-passkey.ts";

const SALE = "11111111-1111-4111-8111-111111111111";

describe("checkRemoval", () => {
  it.each([
    { left: 1, isRequired: true, sales: [SALE] },
    { left: 0, isRequired: false, sales: [] },
  ])("lets a passkey be removed: %o", (effect) => {
    expect(() => checkRemoval(effect)).not.toThrow();
  });

  it.each([
    [{ left: 0, isRequired: true, sales: [] }, /account requires a passkey/],
    [{ left: 0, isRequired: false, sales: [SALE] }, new RegExp(SALE)],
  ])("keeps the last one: %o", (effect, message) => {
    expect(() => checkRemoval(effect)).toThrow(expect.objectContaining({ code: "failed_precondition" }));
    expect(() => checkRemoval(effect)).toThrow(message);
  });
});
