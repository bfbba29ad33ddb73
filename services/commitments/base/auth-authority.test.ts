import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import type { Principal } from "../../../common/platform/rpc/identity/principal.ts";
import { AuthenticationMethod } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { Removal, Role, SaleChange } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { authAuthority, type MembershipsClient } from "./auth-authority.ts";

const SALE = "11111111-1111-4111-8111-111111111111";
const ACCOUNT = "22222222-2222-4222-8222-222222222222";
const OTHER = "33333333-3333-4333-8333-333333333333";
const operator: Principal = { kind: "operator" };
const person: Principal = {
  kind: "person",
  accountUuid: ACCOUNT,
  authenticatedAtMs: 1_700_000_000_000n,
  authenticatedBy: "passkey",
};
const authenticatedBy = AuthenticationMethod.PASSKEY;

/** A stub of auth that knows one role, refuses on demand and records what it was asked. */
function given({ role = Role.UNSPECIFIED, failure }: { role?: number; failure?: Error } = {}) {
  const asked: unknown[] = [];
  const answer =
    (name: string, response: object) =>
    async (request: object): Promise<never> => {
      asked.push([name, request]);
      if (failure !== undefined) throw failure;
      return response as never;
    };
  const memberships: MembershipsClient = {
    registerSale: answer("registerSale", {}),
    checkRegistration: answer("checkRegistration", {}),
    getRole: answer("getRole", { role }),
    getRoles: answer("getRoles", { memberships: [{ saleUuid: SALE, role }] }),
    admitOpening: answer("admitOpening", {}),
    recordSaleChange: answer("recordSaleChange", {}),
    admitRemoval: answer("admitRemoval", {}),
    completeRemoval: answer("completeRemoval", {}),
  };
  return { asked, authority: authAuthority(memberships) };
}

describe("authAuthority", () => {
  it("gives a sale to the person who creates it, and lets an operator say", () => {
    const { authority } = given();
    expect(authority.ownerOf(person, "")).toBe(ACCOUNT);
    expect(authority.ownerOf(person, ACCOUNT)).toBe(ACCOUNT);
    expect(authority.ownerOf(operator, "")).toBe("");
    expect(authority.ownerOf(operator, OTHER)).toBe(OTHER);
    expect(() => authority.ownerOf(person, OTHER)).toThrow(expect.objectContaining({ code: "permission_denied" }));
  });

  it("notes who changes or settles a sale, and when they signed in", async () => {
    const { asked, authority } = given();
    const settings = [{ field: "Name", before: "Harbour", after: "x".repeat(600) }];
    await authority.recordChange(person, SALE, "definition", settings, true);
    await authority.recordChange(operator, SALE, "settlement");
    await authority.recordChange(person, SALE, "settlement");
    const by = {
      accountUuid: ACCOUNT,
      authenticatedBy,
      authenticatedAt: expect.objectContaining({ seconds: 1_700_000_000n, nanos: 0 }),
    };
    const changes = [{ field: "Name", before: "Harbour", after: `${"x".repeat(511)}…` }];
    expect(asked).toEqual([
      ["recordSaleChange", { saleUuid: SALE, ...by, change: SaleChange.DEFINITION, changes, checkOverridden: true }],
      ["recordSaleChange", { saleUuid: SALE, change: SaleChange.SETTLEMENT, changes: [], checkOverridden: false }],
      [
        "recordSaleChange",
        { saleUuid: SALE, ...by, change: SaleChange.SETTLEMENT, changes: [], checkOverridden: false },
      ],
    ]);
  });

  it.each([
    [Role.VIEWER, "viewer"],
    [Role.EDITOR, "viewer"],
    [Role.EDITOR, "editor"],
    [Role.OWNER, "viewer"],
    [Role.OWNER, "editor"],
    [Role.OWNER, "owner"],
  ] as const)("lets role %i do what takes a %s", async (role, needed) => {
    await expect(given({ role }).authority.requireRole(person, SALE, needed)).resolves.toBeUndefined();
  });

  it.each([
    [Role.VIEWER, "editor", "permission_denied"],
    [Role.VIEWER, "owner", "permission_denied"],
    [Role.EDITOR, "owner", "permission_denied"],
    [Role.UNSPECIFIED, "viewer", "not_found"],
    [99, "viewer", "not_found"],
  ] as const)("doesn't let role %i do what takes a %s", async (role, needed, code) => {
    await expect(given({ role }).authority.requireRole(person, SALE, needed)).rejects.toMatchObject({ code });
  });

  it("says which role is needed, so that auth records an attempt without it", async () => {
    const { authority, asked } = given({ role: Role.VIEWER });
    await expect(authority.requireRole(person, SALE, "owner")).rejects.toMatchObject({ code: "permission_denied" });
    expect(asked).toEqual([
      ["getRole", { saleUuid: SALE, accountUuid: ACCOUNT, neededRole: Role.OWNER, authenticatedBy }],
    ]);
  });

  it("asks once which of many sales a person may see, and nothing for an operator", async () => {
    const { authority, asked } = given({ role: Role.VIEWER });
    const saleUuids = [ACCOUNT, SALE];
    expect(await authority.visibleSales(person, saleUuids)).toEqual([SALE]);
    expect(await authority.visibleSales(operator, saleUuids)).toEqual(saleUuids);
    expect(asked).toEqual([["getRoles", { accountUuid: ACCOUNT, saleUuids, authenticatedBy }]]);
  });

  it("needs no role of an operator", async () => {
    const { authority, asked } = given();
    await authority.requireRole(operator, SALE, "owner");
    expect(asked).toEqual([]);
  });

  it("says who opens a sale, and when they signed in", async () => {
    const { authority, asked } = given();
    await authority.admitOpening(person, SALE, true);
    await authority.admitOpening(operator, SALE, false);
    const authenticatedAt = expect.objectContaining({ seconds: 1_700_000_000n, nanos: 0 });
    expect(asked).toEqual([
      [
        "admitOpening",
        { saleUuid: SALE, accountUuid: ACCOUNT, authenticatedAt, authenticatedBy, checkOverridden: true },
      ],
      ["admitOpening", { saleUuid: SALE, checkOverridden: false }],
    ]);
  });

  it("says who removes a sale, and when they signed in", async () => {
    const { authority, asked } = given();
    await authority.admitRemoval(person, { saleUuid: SALE, saleName: "Harbour", removal: "withdrawal" });
    await authority.admitRemoval(operator, { saleUuid: SALE, saleName: "Harbour", removal: "deletion" });
    const authenticatedAt = expect.objectContaining({ seconds: 1_700_000_000n, nanos: 0 });
    const sale = { saleUuid: SALE, saleName: "Harbour" };
    expect(asked).toEqual([
      [
        "admitRemoval",
        { ...sale, accountUuid: ACCOUNT, authenticatedAt, authenticatedBy, removal: Removal.WITHDRAWAL },
      ],
      ["admitRemoval", { ...sale, removal: Removal.DELETION }],
    ]);
  });

  it("leaves a removal to auth's own check if auth can't be notified of it", async () => {
    const { authority, asked } = given({ failure: new ConnectError("away", Code.Unavailable) });
    await expect(authority.completeRemoval(SALE)).resolves.toBeUndefined();
    expect(asked).toEqual([["completeRemoval", { saleUuid: SALE }]]);
  });

  it.each([
    [Code.FailedPrecondition, "failed_precondition"],
    [Code.PermissionDenied, "permission_denied"],
    [Code.AlreadyExists, "already_exists"],
    [Code.Unavailable, "unavailable"],
  ])("passes on that auth refuses (%i)", async (code, name) => {
    const { authority } = given({ failure: new ConnectError("because", code) });
    const refusal = { name: "ServiceError", code: name, message: "because" };
    await expect(authority.registerSale(SALE, ACCOUNT)).rejects.toMatchObject(refusal);
    await expect(authority.requireRole(person, SALE, "owner")).rejects.toMatchObject(refusal);
    await expect(authority.admitOpening(person, SALE, false)).rejects.toMatchObject(refusal);
  });

  it("goes on if the auth service is of an earlier version and can't check a registration", async () => {
    const { authority } = given({ failure: new ConnectError("no such method", Code.Unimplemented) });
    await expect(authority.checkRegistration(SALE, ACCOUNT)).resolves.toBeUndefined();
    await expect(authority.registerSale(SALE, ACCOUNT)).rejects.toMatchObject({ code: Code.Unimplemented });
  });

  it.each([Code.Unauthenticated, Code.InvalidArgument, Code.Internal])(
    "takes %i for a fault of its own",
    async (code) => {
      const failure = new ConnectError("because", code);
      await expect(given({ failure }).authority.registerSale(SALE, ACCOUNT)).rejects.toBe(failure);
    },
  );
});

it("says of a person whose token doesn't name it that they signed in with a code", async () => {
  const { authority, asked } = given({ role: Role.VIEWER });
  await authority.requireRole({ kind: "person", accountUuid: ACCOUNT, authenticatedAtMs: 0n }, SALE, "viewer");
  expect(asked).toMatchObject([["getRole", { authenticatedBy: AuthenticationMethod.CODE }]]);
});
