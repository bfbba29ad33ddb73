import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { CheckAccessResponseSchema } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { ApplicationAccessSchema } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { RecentGrants } from "./recent-grants.ts";

const ID = "11111111-1111-4111-8111-111111111111";
const NEEDED = { scope: "sale_eligibility_check", saleUuid: ID } as const;
const accessOf = (accessToken: string) => create(ApplicationAccessSchema, { accessToken });

/** Grants of an auth that knows one token, "valid". */
function recentGrants() {
  const access = { accountUuid: ID, clientUuid: ID, saleUuid: ID, email: "a@example.com", scopes: [NEEDED.scope] };
  const auth = { asked: 0, email: access.email, revoked: false };
  const checkAccess = async ({ accessTokens = [] }: { accessTokens?: string[] }) => {
    auth.asked += 1;
    const isValid = accessTokens[0] === "valid" && !auth.revoked;
    return create(CheckAccessResponseSchema, { checks: [isValid ? { access: { ...access, email: auth.email } } : {}] });
  };
  return { auth, grants: new RecentGrants({ authorization: { checkAccess } }) };
}

it("asks auth for each call, and knows what it said last", async () => {
  const { auth, grants } = recentGrants();
  expect(grants.begin(accessOf("valid"))).toBeUndefined();
  await grants.require(accessOf("valid"), NEEDED);
  auth.email = "b@example.com";
  expect(grants.begin(accessOf("valid"))).toMatchObject({ email: "a@example.com" });
  expect(await grants.require(accessOf("valid"), NEEDED)).toMatchObject({ email: "b@example.com" });
  expect(grants.begin(accessOf("valid"))).toMatchObject({ email: "b@example.com" });
  expect(auth.asked).toBe(2);
});

it("forgets a token that auth refuses, and never knows one that wasn't valid", async () => {
  const { auth, grants } = recentGrants();
  await grants.require(accessOf("valid"), NEEDED);
  auth.revoked = true;
  for (const token of ["valid", "other"]) {
    await expect(grants.require(accessOf(token), NEEDED)).rejects.toMatchObject({ code: "unauthenticated" });
    expect(grants.begin(accessOf(token))).toBeUndefined();
  }
});

it("lets one call begin by what auth said, until auth has said it again", async () => {
  const { grants } = recentGrants();
  await grants.require(accessOf("valid"), NEEDED);
  const begun = [1, 2, 3].map(() => grants.begin(accessOf("valid")));
  expect(begun).toEqual([expect.objectContaining({ accountUuid: ID }), undefined, undefined]);
  await grants.require(accessOf("valid"), NEEDED);
  expect(grants.begin(accessOf("valid"))).toBeDefined();
});
