import { describe, expect, it } from "vitest";
import { refusalOfRole, saleNotFound } from "./check-role.ts";
import { includesRole, type Role } from "./role.ts";

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
      expect(refusalOfRole(role as Role, needed as Role, saleNotFound("s")) === undefined).toBe(includes);
    }
  });

  it("hides the sale from strangers, and names the needed role to members", () => {
    expect(refusalOfRole(undefined, "viewer", saleNotFound("s"))).toMatchObject({ code: "not_found" });
    expect(refusalOfRole("viewer", "owner", saleNotFound("s"))).toMatchObject({
      code: "permission_denied",
      message: expect.stringContaining("owner"),
    });
  });
});
