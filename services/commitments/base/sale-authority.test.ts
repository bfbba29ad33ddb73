import { describe, expect, it } from "vitest";
import type { Principal } from "../../../common/platform/rpc/identity/principal.ts";
import { operatorsOnly } from "./sale-authority.ts";

const SALE = "11111111-1111-4111-8111-111111111111";
const OWNER = "22222222-2222-4222-8222-222222222222";
const operator: Principal = { kind: "operator" };
const person: Principal = { kind: "person", accountUuid: OWNER, authenticatedAtMs: 0n };

describe("operatorsOnly", () => {
  it("lets an operator create sales for anybody and nobody", () => {
    expect(operatorsOnly.ownerOf(operator, OWNER)).toBe(OWNER);
    expect(operatorsOnly.ownerOf(operator, "")).toBe("");
  });

  it("lets an operator do everything", async () => {
    await expect(operatorsOnly.requireRole(operator, SALE, "owner")).resolves.toBeUndefined();
    await expect(operatorsOnly.admitOpening(operator, SALE, false)).resolves.toBeUndefined();
  });

  it("refuses people", async () => {
    const refusal = expect.objectContaining({ code: "permission_denied" });
    expect(() => operatorsOnly.ownerOf(person, OWNER)).toThrow(refusal);
    await expect(operatorsOnly.requireRole(person, SALE, "viewer")).rejects.toEqual(refusal);
    await expect(operatorsOnly.admitOpening(person, SALE, false)).rejects.toEqual(refusal);
    const removal = { saleUuid: SALE, saleName: "Harbour", removal: "withdrawal" } as const;
    await expect(operatorsOnly.admitRemoval(person, removal)).rejects.toEqual(refusal);
  });
});
