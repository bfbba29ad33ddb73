import { Code, ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, it } from "vitest";
import { FailureReason } from "../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { CheckedAnswers } from "../../test/support/applications/checked-answers.ts";
import { type NamedOperation, type OpenApi, operationsOf } from "../../test/support/repository/openapi.ts";
import { SALE } from "../testing/fake-commitments.ts";
import { addEntity } from "../testing/own-entities.ts";
import { ENTITY_UUID, PublicCallsSite, WALLET } from "../testing/public-calls-site.ts";
import { OPERATIONS } from "./operations.ts";

const OTHER = "33333333-3333-4333-8333-333333333333";
const LARGE = "x".repeat(17 * 1024);
/** Every field of every request. Unknown ones are ignored. */
const FIELDS = {
  SaleUUID: SALE,
  EntityID: ENTITY_UUID,
  WalletAddress: WALLET,
  PurchasingWalletAddress: WALLET,
  refresh_token: "r",
  code: "c",
  code_verifier: "v".repeat(43),
  redirect_uri: "https://app.example/callback",
};

let site: PublicCallsSite;
let answers: CheckedAnswers;
let operations: NamedOperation[];
beforeAll(async () => {
  site = await PublicCallsSite.start();
  // A real code or refresh token is worth one answer, and each is sent here many times.
  const tokens = { accessToken: "access", expiresInSeconds: 900, refreshToken: "refresh", scope: "read_entities" };
  site.gateway.auth.faults.answers.set("IssueTokens", { result: { case: "tokens", value: tokens } });
  const document: OpenApi = await (await fetch(`${site.gateway.origin}/openapi.json`)).json();
  answers = new CheckedAnswers(document);
  const rootPaths: readonly string[] = OPERATIONS.map(({ rootPath }) => rootPath);
  operations = operationsOf(document).filter(
    ({ path }) => rootPaths.includes(path) || /^\/svc\/v1\/[\w-]+$/.test(path),
  );
});
afterAll(() => site.stop());

interface Sent {
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
}

/** Sends a request to each operation and checks the answers. @returns the statuses that there were, ascending */
async function check({ body = JSON.stringify(FIELDS), headers = {}, method = "POST" }: Sent = {}, as?: string) {
  const statuses = new Set<number>();
  for (const { operationId, path } of operations) {
    const all = { "content-type": "application/json", authorization: `Bearer ${site.accessToken}`, ...headers };
    const answer = await fetch(site.gateway.origin + path, {
      method,
      headers: all,
      ...(method === "POST" && { body }),
    });
    await answers.check(operationId, answer, as);
    statuses.add(answer.status);
  }
  return [...statuses].toSorted();
}

it("answers of the calls are as the OpenAPI document says", async () => {
  expect(operations).toHaveLength(16);
  expect(await check()).toEqual([200]);
  const { answers: replaced } = site.gateway.entities.faults;
  const value = { reason: FailureReason.OUTSIDE_TIME_WINDOW, livenessUrl: "" };
  replaced.set("CheckEligibility", { failure: value.reason });
  replaced.set("IssuePermit", { result: { case: "refusal", value } });
  expect(await check()).toEqual([200, 400]);
  for (const method of ["CheckEligibility", "IssuePermit"]) replaced.delete(method);
  expect(await check({ body: "[]" })).toEqual([400]);
  expect(await check({ headers: { authorization: "Bearer other" } })).toEqual([200, 401]);
  // Limits of an unknown wallet are those of an only entity.
  await addEntity(site.gateway, { type: "organization", label: "Second" });
  expect(
    await check({ body: JSON.stringify({ ...FIELDS, WalletAddress: `0x${"1".repeat(40)}`, EntityID: OTHER }) }),
  ).toEqual([200, 404]);
  const forEmail = { authorization: `Bearer ${await site.tokenFor(["contact_email"])}` };
  expect(await check({ headers: forEmail })).toEqual([200, 403]);
  expect(await check({ body: JSON.stringify({ ...FIELDS, More: LARGE }) })).toEqual([413]);
  expect(await check({ headers: { "content-type": "text/plain" } })).toEqual([415]);
  expect(await check({ method: "PUT" }, "default")).toEqual([405]);
});

it.each([
  [Code.ResourceExhausted, 429],
  [Code.Internal, 500],
  [Code.Unavailable, 503],
  [Code.DeadlineExceeded, 504],
])("and so are those after a failure with code %s", async (code, status) => {
  const failure = new ConnectError("inside", code);
  const { auth, entities } = site.gateway;
  for (const { faults } of [auth, entities]) faults.failure = failure;
  expect(await check()).toEqual([status]);
});

it("and every documented answer was seen", () => {
  const ids = new Set(operations.map(({ operationId }) => operationId));
  const isOurs = (name: string) => ids.has(name.split(" ")[0] ?? "");
  const named = answers.seen().filter((name) => !name.endsWith(" default"));
  expect(named.toSorted()).toEqual(answers.documented().filter(isOurs).toSorted());
});

it("and the document says which scope each call needs", () => {
  const scopes = OPERATIONS.map((operation) => ("scope" in operation ? operation.scope : ""));
  const documented = OPERATIONS.map(({ rootPath }) => {
    const { security } = operations.find(({ path }) => path === rootPath) as unknown as {
      security: Record<string, string[]>[];
    };
    return security.flatMap((scheme) => Object.values(scheme).flat()).join();
  });
  expect(documented).toEqual(scopes);
});
