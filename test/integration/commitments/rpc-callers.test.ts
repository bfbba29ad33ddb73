import { randomUUID } from "node:crypto";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { expect, it } from "vitest";
import { generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { Health, HealthCheckResponse_ServingStatus } from "../../../proto/gen/grpc/health/v1/health_pb.ts";
import { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { WebhookService } from "../../../proto/gen/tidemark/commitments/v1/webhook_service_pb.ts";
import { SecretService } from "../../../proto/gen/tidemark/secrets/v1/secret_service_pb.ts";
import { StatusService } from "../../../proto/gen/tidemark/status/v1/status_service_pb.ts";
import { ALLOWED_CALLERS } from "../../../services/commitments/allowed-callers.ts";
import {
  type CallerName,
  type CommitmentsFixture,
  describeCommitments,
} from "../../support/processes/commitments-fixture.ts";
import { bearer, nowSeconds, rawCall } from "../../support/processes/raw-call.ts";
import { refusal } from "../../support/sales/sale-messages.ts";

const METHODS = [SaleService, CommitmentService, WebhookService, SecretService, StatusService].flatMap(
  ({ typeName, methods }) =>
    methods.map(({ name, idempotency, methodKind }) => ({
      service: typeName,
      name,
      method: `${typeName}/${name}`,
      idempotency,
      methodKind,
    })),
);
const UNARY = METHODS.filter(({ methodKind }) => methodKind === "unary");
const WRITES = METHODS.filter(({ idempotency }) => idempotency !== MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS);
const CALLERS: readonly CallerName[] = ["gateway", "indexer", "auth", "feeder", "operator", "stranger"];
/** Methods for what a person enters; an operator enters nothing. */
const OF_PEOPLE = ["BeginSale", "KeepBegunSale"];
const AN_HOUR_S = 3_600;

/** A token with a header of one's own, and an invalid signature. */
function unsigned(header: object): string {
  const claims = { aud: "tidemark.commitments", iat: nowSeconds(), exp: nowSeconds() + 60 };
  const encoded = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
  return `Bearer ${encoded.join(".")}.${Buffer.alloc(32).toString("base64url")}`;
}

type Authorization = (service: CommitmentsFixture) => Promise<string> | string | undefined;

const bad: [string, Authorization][] = [
  ["no token", () => undefined],
  ["no bearer token", () => "Basic b3BlcmF0b3I6"],
  ["an empty token", () => "Bearer "],
  ["a token signed with another key", ({ credentials }) => bearer({ ...credentials.operator, ...generateCallerKey() })],
  [
    "a token signed with another caller's key",
    ({ credentials }) => bearer({ ...credentials.gateway, name: "operator" }),
  ],
  [
    "a token of a caller without key",
    () => bearer({ name: "nobody", ...generateCallerKey(), audience: "tidemark.commitments" }),
  ],
  ["a token for another service", ({ credentials }) => bearer({ ...credentials.operator, audience: "tidemark.auth" })],
  ["an expired token", ({ credentials }) => bearer(credentials.operator, nowSeconds() - AN_HOUR_S)],
  ["a token of the future", ({ credentials }) => bearer(credentials.operator, nowSeconds() + AN_HOUR_S)],
  ["an unsigned token", () => unsigned({ alg: "none", typ: "tidemark-caller+jwt", kid: "operator" })],
  ["a token of another algorithm", () => unsigned({ alg: "RS256", typ: "tidemark-caller+jwt", kid: "operator" })],
  ["a truncated token", async ({ credentials }) => (await bearer(credentials.operator)).slice(0, -1)],
];

describeCommitments("callers of the commitments service", (service) => {
  const call = (method: string, authorization: string | undefined, body: string) =>
    rawCall({ url: service().url, method, body, ...(authorization === undefined ? {} : { authorization }) });

  it.each(bad)("are refused with %s, before the body is looked at", async (_, authorization) => {
    for (const body of ["{}", "no JSON"]) {
      expect(await call(`${SaleService.typeName}/GetSale`, await authorization(service()), body)).toMatchObject({
        status: 401,
        code: "unauthenticated",
      });
    }
  });

  it("may call the methods that the table has them for, and no others", async () => {
    for (const caller of CALLERS) {
      const authorization = await bearer(service().credentials[caller]);
      for (const { service: typeName, name, method } of UNARY) {
        const { code } = await call(method, authorization, "no JSON");
        const allowed = ALLOWED_CALLERS[typeName]?.[name]?.includes(caller) ?? false;
        // A body that can't be read shows whether the call came as far as that.
        expect([caller, method, code]).toEqual([caller, method, allowed ? "invalid_argument" : "permission_denied"]);
      }
    }
  });

  it.each(CALLERS)("may watch if the table permits it: %s", async (caller) => {
    const watch = service().as(caller).commitments.watchCommitmentData({ saleUuid: "no UUID" });
    const allowed = ALLOWED_CALLERS[CommitmentService.typeName]?.["WatchCommitmentData"]?.includes(caller) ?? false;
    const { code } = await refusal(watch[Symbol.asyncIterator]().next());
    expect(code).toBe(allowed ? "invalid_argument" : "permission_denied");
  });

  it.each<[CallerName, readonly string[]]>([
    ["stranger", []],
    ["auth", []],
    [
      "gateway",
      [
        "CreateSale",
        "UpdateSale",
        "OpenSale",
        "SettleSale",
        "BeginSale",
        "KeepBegunSale",
        "WithdrawSale",
        "DeleteDraft",
        "SetSaleLogo",
        "ApplyCommitments",
        "CreateWebhookEndpoint",
        "SetWebhookEndpointEnabled",
        "DeleteWebhookEndpoint",
        "RotateWebhookSecret",
        "SendTestEvent",
        "ReplayWebhookEvents",
      ],
    ],
    ["feeder", ["ApplyCommitments", "SetAllocations"]],
    [
      "indexer",
      [
        "ApplyCommitments",
        "AcquireSaleLease",
        "ReportSourceStatus",
        "RenewSaleLeases",
        "AcquireSaleLeases",
        "ReportSourceStatuses",
      ],
    ],
    ["operator", WRITES.map(({ name }) => name).filter((name) => !OF_PEOPLE.includes(name))],
  ])("change nothing but what is theirs to change: %s %j", (caller, names) => {
    const allowed = WRITES.filter((each) => ALLOWED_CALLERS[each.service]?.[each.name]?.includes(caller));
    expect(allowed.map(({ name }) => name)).toEqual(names);
  });

  it("find every method in the table", () => {
    const listed = Object.entries(ALLOWED_CALLERS).flatMap(([typeName, methods]) =>
      Object.keys(methods).map((name) => `${typeName}/${name}`),
    );
    expect(listed.sort()).toEqual(METHODS.map(({ method }) => method).sort());
  });

  it("need no token to ask for health", async () => {
    const transport = createConnectTransport({ baseUrl: service().url, httpVersion: "1.1" });
    const health = createClient(Health, transport);
    for (const name of ["", SaleService.typeName, CommitmentService.typeName]) {
      expect(await health.check({ service: name })).toMatchObject({
        status: HealthCheckResponse_ServingStatus.SERVING,
      });
    }
    await expect(health.check({ service: "tidemark.auth.v1.AuthService" })).rejects.toThrow("not_found");
  });

  it("get 404 for an unknown method", async () => {
    const response = await fetch(`${service().url}/${SaleService.typeName}/DeleteSale`, { method: "POST" });
    expect(response.status).toBe(404);
  });

  it("learn who may not call what, and nothing of the sale", async () => {
    const { sales } = service().as("indexer");
    await expect(sales.openSale({ saleUuid: randomUUID() })).rejects.toThrow(
      "[permission_denied] caller indexer may not call tidemark.commitments.v1.SaleService/OpenSale",
    );
  });
});
