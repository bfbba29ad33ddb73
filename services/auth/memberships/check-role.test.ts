import { describe, expect, it } from "vitest";
import { checkRole, saleNotFound } from "./check-role.ts";
import { includesRole, type Role } from "./role.ts";

const ROLES: readonly Role[] = ["viewer", "editor", "owner"];

describe("checkRole", () => {
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
    expect(() => checkRole("owner", "editor", saleNotFound("s"))).not.toThrow();
  });

  it("hides the sale from strangers, and names the needed role to members", () => {
    expect(() => checkRole(undefined, "viewer", saleNotFound("s"))).toThrow(
      expect.objectContaining({ code: "not_found" }),
    );
    expect(() => checkRole("viewer", "owner", saleNotFound("s"))).toThrow(
      expect.objectContaining({ code: "permission_denied", message: expect.stringContaining("owner") }),
    );
  });
});
