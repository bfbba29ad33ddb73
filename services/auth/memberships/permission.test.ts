import { describe, expect, it } from "vitest";
import { checkRecentSignIn, checkRole, saleNotFound } from "./permission.ts";
import { includesRole, type Role } from "./role.ts";

const ROLES: readonly Role[] = ["viewer", "editor", "owner"];

describe("checkRole", () => {
  it("lets in every role that allows what is needed", () => {
    const allowed = ROLES.flatMap((role) => ROLES.map((needed) => [role, needed, includesRole(role, needed)]));
    expect(allowed.filter(([, , includes]) => includes).map(([role, needed]) => `${role} ${needed}`)).toEqual([
      "viewer viewer",
      "editor viewer",
      "editor editor",
      "owner viewer",
      "owner editor",
      "owner owner",
    ]);
    expect(() => checkRole("owner", "editor", saleNotFound("s"))).not.toThrow();
  });

  it("hides from strangers what there is, and tells members which role they lack", () => {
    expect(() => checkRole(undefined, "viewer", saleNotFound("s"))).toThrow(
      expect.objectContaining({ code: "not_found" }),
    );
    expect(() => checkRole("viewer", "owner", saleNotFound("s"))).toThrow(
      expect.objectContaining({ code: "permission_denied", message: expect.stringContaining("owner") }),
    );
  });
});

describe("checkRecentSignIn", () => {
  it.each([
    [600_000n, true],
    [600_001n, false],
  ])("of %d ms ago: %s", (age, isRecent) => {
    const check = () => checkRecentSignIn({ authenticatedAtMs: 5_000n }, 5_000n + age);
    if (isRecent) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code: "failed_precondition" }));
  });
});
