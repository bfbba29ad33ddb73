import { describe, expect, it } from "vitest";
import { checkPasskeySession } from "./passkey-session.ts";

describe("checkPasskeySession", () => {
  it.each([
    ["code", 0],
    ["passkey", 0],
    ["passkey", 1],
  ] as const)("accepts a %s where the account has %i passkeys", (authenticatedBy, passkeys) => {
    expect(() => checkPasskeySession({ authenticatedBy }, passkeys)).not.toThrow();
  });

  it.each([1, 20])("refuses a code where the account has %i passkeys, and names the rule", (passkeys) => {
    const violations = [expect.objectContaining({ rule: "passkey.sign_in_required" })];
    const refusal = { code: "failed_precondition", violations };
    expect(() => checkPasskeySession({ authenticatedBy: "code" }, passkeys)).toThrow(expect.objectContaining(refusal));
  });
});
