import { describe, expect, it } from "vitest";
import { isPasskeyMissing, refusalOfRole, saleNotFound } from "./check-role.ts";
import { includesRole, type Role } from "./membership.ts";

const ROLES: readonly Role[] = ["viewer", "editor", "owner"];

describe("refusalOfRole", () => {
  it("accepts every role that allows what is needed", () => {
    const allowed = ROLES.flatMap((role) => ROLES.map((needed) => [role, needed, includesRole(role, needed)]));
    expect(allowed.filter(([, , includes]) => includes).map(([role, needed]) => `${role} ${needed}`)).toEqual([
      "viewer viewer",
      "editor viewer",
      "editor editor",
      "owner viewer",
      "owner editor",
      "owner owner",
    ]);
    for (const [role, needed, includes] of allowed) {
      const found = { role: role as Role, passkeysRequired: false };
      expect(refusalOfRole(found, needed as Role, "code", saleNotFound("s")) === undefined).toBe(includes);
    }
  });

  it("hides the sale from strangers, and names the needed role to members", () => {
    expect(refusalOfRole(undefined, "viewer", "passkey", saleNotFound("s"))).toMatchObject({ code: "not_found" });
    expect(refusalOfRole({ role: "viewer", passkeysRequired: true }, "owner", "code", saleNotFound("s"))).toMatchObject(
      {
        code: "permission_denied",
        message: expect.stringContaining("owner"),
      },
    );
  });

  it("wants the passkey of an owner and an editor that the sale requires, whatever they want to do", () => {
    for (const role of ["owner", "editor"] as const) {
      for (const method of ["code", undefined] as const) {
        const refusal = refusalOfRole({ role, passkeysRequired: true }, "viewer", method, saleNotFound("s"));
        expect(refusal).toMatchObject({
          code: "failed_precondition",
          violations: [{ rule: "sale.passkey_required" }],
        });
      }
      const found = { role, passkeysRequired: true };
      expect(refusalOfRole(found, "editor", "passkey", saleNotFound("s"))).toBeUndefined();
    }
  });
});

describe("isPasskeyMissing", () => {
  it.each([
    ["owner", true, "code", true],
    ["editor", true, undefined, true],
    ["editor", true, "passkey", false],
    ["owner", false, "code", false],
    ["viewer", true, "code", false],
  ] as const)("of %s (required: %s) with %s is %s", (role, passkeysRequired, method, missing) => {
    expect(isPasskeyMissing({ role, passkeysRequired }, method)).toBe(missing);
  });
});
