import { expect, it } from "vitest";
import { effectiveSetupState } from "./entity.ts";

it.each([
  ["an approval that doesn't end", "complete", undefined, "complete"],
  ["an approval that ends later", "complete", 101n, "complete"],
  ["an approval that ends now", "complete", 100n, "not_started"],
  ["a refusal", "failure_final", 99n, "failure_final"],
] as const)("takes the state of %s", (_, setupState, approvalExpiresAtMs, expected) => {
  expect(effectiveSetupState({ setupState, approvalExpiresAtMs }, 100n)).toBe(expected);
});
