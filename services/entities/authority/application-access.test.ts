import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { expect, it } from "vitest";
import { CheckAccessResponseSchema } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { ApplicationAccessSchema } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { type AccessUpstream, requireApplication } from "./application-access.ts";

const SALE = "11111111-1111-4111-8111-111111111111";
const OTHER = "22222222-2222-4222-8222-222222222222";
const ACCESS = { accountUuid: OTHER, email: "a@example.com", clientUuid: OTHER, saleUuid: SALE };

function auth(checks: readonly object[]): AccessUpstream {
  const response = create(CheckAccessResponseSchema, { checks: checks.map((access) => access) });
  return { authorization: { checkAccess: async () => response } };
}

const TOKEN = create(ApplicationAccessSchema, { accessToken: "t" });
const valid = auth([{ access: { ...ACCESS, scopes: ["read_entities"] } }]);

it("returns for whom and for what an access token is valid", async () => {
  const grant = await requireApplication(valid, TOKEN, { scope: "read_entities", saleUuid: SALE.toUpperCase() });
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
    await expect(requireApplication(upstream, TOKEN, needed)).rejects.toMatchObject({
      name: "ServiceError",
      code,
      violations,
    });
  },
);

it("is unavailable while auth is away", async () => {
  const away = { authorization: { checkAccess: () => Promise.reject(new ConnectError("away", Code.Unavailable)) } };
  await expect(requireApplication(away, TOKEN, { scope: "read_entities" })).rejects.toMatchObject({
    code: "unavailable",
  });
});

it.each([
  [
    "a token without its proof",
    { refusal: { error: "use_dpop_nonce", errorDescription: "a nonce" } },
    "unauthenticated",
  ],
  ["too many proofs", { failure: { code: Code.ResourceExhausted, message: "later" } }, "resource_exhausted"],
])("passes on why auth refuses %s", async (_, check, code) => {
  const refused = requireApplication(auth([check]), TOKEN, { scope: "read_entities" });
  await expect(refused).rejects.toMatchObject({ name: "ServiceError", code });
  if (code !== "unauthenticated") return;
  const violations = [{ field: "access.access_token", rule: "access_token.use_dpop_nonce", message: "a nonce" }];
  await expect(refused).rejects.toMatchObject({ violations });
});

it("sends the proof of a token", async () => {
  const asked: unknown[] = [];
  const checkAccess: AccessUpstream["authorization"]["checkAccess"] = async (request) => {
    asked.push(request);
    return create(CheckAccessResponseSchema, { checks: [{ access: { ...ACCESS, scopes: ["read_entities"] } }] });
  };
  const dpop = { proof: "p", method: "POST", uri: "https://api.example/", requestId: OTHER };
  const access = create(ApplicationAccessSchema, { accessToken: "t", dpop });
  await requireApplication({ authorization: { checkAccess } }, access, { scope: "read_entities" });
  expect(asked).toMatchObject([{ accessTokens: ["t"], proofs: [{ dpop }] }]);
});
