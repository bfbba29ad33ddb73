import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { expect, it } from "vitest";
import { CheckAccessResponseSchema } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { type AccessUpstream, requireApplication } from "./application-access.ts";

const SALE = "11111111-1111-4111-8111-111111111111";
const OTHER = "22222222-2222-4222-8222-222222222222";
const ACCESS = { accountUuid: OTHER, email: "a@example.com", clientUuid: OTHER, saleUuid: SALE };

function auth(checks: readonly object[]): AccessUpstream {
  const response = create(CheckAccessResponseSchema, { checks: checks.map((access) => access) });
  return { authorization: { checkAccess: async () => response } };
}

const valid = auth([{ access: { ...ACCESS, scopes: ["read_entities"] } }]);

it("returns for whom and for what an access token is valid", async () => {
  const grant = await requireApplication(valid, "t", { scope: "read_entities", saleUuid: SALE.toUpperCase() });
  expect(grant).toMatchObject({ ...ACCESS, scopes: new Set(["read_entities"]) });
});

it.each([
  ["a token that isn't valid", auth([{}]), { scope: "read_entities" }, "unauthenticated", "live"],
  ["a missing scope", valid, { scope: "sale_eligibility_check" }, "permission_denied", "scope"],
  ["another sale", valid, { scope: "read_entities", saleUuid: OTHER }, "permission_denied", "sale"],
] as const)(
  "refuses %s, and names the token, as no refusal of a caller does",
  async (_, upstream, needed, code, rule) => {
    const violations = [expect.objectContaining({ field: "access.access_token", rule: `access_token.${rule}` })];
    await expect(requireApplication(upstream, "t", needed)).rejects.toMatchObject({
      name: "ServiceError",
      code,
      violations,
    });
  },
);

it("is unavailable while auth is away", async () => {
  const away = { authorization: { checkAccess: () => Promise.reject(new ConnectError("away", Code.Unavailable)) } };
  await expect(requireApplication(away, "t", { scope: "read_entities" })).rejects.toMatchObject({
    code: "unavailable",
  });
});
