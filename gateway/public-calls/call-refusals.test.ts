import { Code, ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ServiceError } from "../../common/platform/errors/service-error.ts";
import { toConnectError } from "../../common/platform/rpc/errors.ts";
import { startAuthGateway } from "../testing/auth-gateway.ts";
import { SALE } from "../testing/fake-commitments.ts";
import { addEntity } from "../testing/own-entities.ts";
import { ENTITY_UUID, PublicCallsSite } from "../testing/public-calls-site.ts";
import { asUser, CHECK, callErrorOf, ISSUE, PURCHASE, READ, SPELLINGS, sendCall } from "../testing/sample-calls.ts";

const OTHER_SALE = "33333333-3333-4333-8333-333333333333";

let site: PublicCallsSite;
beforeAll(async () => {
  site = await PublicCallsSite.start();
});
afterAll(() => site.stop());
beforeEach(() => site.reset());

const send = (path: string, body: unknown, headers?: Readonly<Record<string, string>>) =>
  sendCall(site, path, body, headers);

describe("a refusal", () => {
  it.each([
    ["no token", {}, 'Bearer realm="tidemark"'],
    ["another scheme", { authorization: "Basic eDp5" }, /error="invalid_token"/],
    ["an empty token", { authorization: "api:Bearer " }, /error="invalid_token"/],
    ["a malformed token", { authorization: "Bearer a b" }, /error="invalid_token"/],
    ["a token that is too long", { authorization: `Bearer ${"a".repeat(8193)}` }, /error="invalid_token"/],
    ["an unknown token", { authorization: "Bearer other" }, /error="invalid_token"/],
  ])("is 401 for %s", async (_, headers, challenge) => {
    for (const { path, body } of SPELLINGS) {
      const error = await callErrorOf(send(path, body, headers as Record<string, string>));
      expect(error).toMatchObject({ status: 401, code: "unauthenticated" });
      expect(error.headers.get("www-authenticate")).toMatch(challenge);
    }
  });

  it("is 403 for a scope, and for another sale", async () => {
    const other = { ...PURCHASE, SaleUUID: OTHER_SALE };
    expect(await callErrorOf(send(CHECK, other))).toMatchObject({ status: 403, code: "permission_denied" });
    const authorization = `Bearer ${await site.tokenFor(["contact_email"])}`;
    for (const { path, body } of SPELLINGS) {
      const { status, message } = await callErrorOf(send(path, body, { authorization }));
      expect([status, message]).toEqual([403, expect.stringMatching(/^This requires the scope \w+\.$/)]);
    }
  });

  it("is 404 for an entity and for a wallet that the application doesn't see", async () => {
    const entity = { ...PURCHASE, EntityID: OTHER_SALE };
    const wallet = { SaleUUID: SALE, WalletAddress: `0x${"1".repeat(40)}` };
    // Limits of an unknown wallet are those of an only entity.
    await addEntity(site.gateway, { type: "organization", label: "Second" });
    for (const answer of [
      send(READ, entity),
      send(CHECK, entity),
      send(ISSUE, entity),
      send("/externalapi.Limits", wallet),
    ]) {
      expect(await callErrorOf(answer)).toMatchObject({ status: 404, code: "not_found" });
    }
  });

  it.each([
    ["no JSON", CHECK, "{", undefined],
    ["an array", CHECK, "[]", undefined],
    ["null", "/externalapi.MyProfile", "null", undefined],
    ["nothing", "/externalapi.MyProfile", "", undefined],
    ["no sale", "/externalapi.ListAvailableEntities", "{}", "SaleUUID required"],
    ["a sale that is no text", CHECK, { ...PURCHASE, SaleUUID: 1 }, "SaleUUID string"],
    ["a sale that is no UUID", CHECK, { ...PURCHASE, SaleUUID: "1" }, "SaleUUID string.uuid"],
    ["an entity that is no UUID", ISSUE, { ...PURCHASE, EntityID: "a" }, "EntityID string.uuid"],
    ["an empty optional entity", READ, { SaleUUID: SALE, EntityID: "" }, "EntityID string.min_len"],
    ["an optional entity that is null", READ, { SaleUUID: SALE, EntityID: null }, "EntityID string"],
    ["no wallet", ISSUE, { SaleUUID: SALE, EntityID: ENTITY_UUID }, "PurchasingWalletAddress required"],
    [
      "a long wallet",
      ISSUE,
      { ...PURCHASE, PurchasingWalletAddress: "a".repeat(65) },
      "PurchasingWalletAddress wallet.form",
    ],
    [
      "a half character",
      ISSUE,
      { ...PURCHASE, PurchasingWalletAddress: "\ud800" },
      "PurchasingWalletAddress string.well_formed",
    ],
    ["no address", ISSUE, { ...PURCHASE, PurchasingWalletAddress: "x" }, "PurchasingWalletAddress wallet.form"],
    [
      "no address of a limit",
      "/externalapi.Limits",
      { SaleUUID: SALE, WalletAddress: "x" },
      "WalletAddress wallet.form",
    ],
  ])("is 400 for %s", async (_, path, body, violation) => {
    const { status, code, message, details } = await callErrorOf(send(path, body));
    expect([status, code]).toEqual([400, "invalid_argument"]);
    const violated = (details.violations ?? []).map(({ field, rule }: Record<string, string>) => `${field} ${rule}`);
    expect(violated).toEqual(violation === undefined ? [] : [violation]);
    if (violation !== undefined) expect(message).toContain(violation.split(" ")[0]);
  });

  it("is 413 and 415 for a body that isn't read", async () => {
    const large = JSON.stringify({ ...PURCHASE, More: "x".repeat(17 * 1024) });
    expect(await callErrorOf(send(CHECK, large))).toMatchObject({ status: 413, code: "invalid_argument" });
    for (const headers of [
      { "content-type": "text/plain" },
      { "content-type": "application/json; charset=latin1" },
      { "content-encoding": "gzip" },
    ]) {
      const error = await callErrorOf(send(CHECK, PURCHASE, { ...asUser(site), ...headers }));
      expect(error).toMatchObject({ status: 415, code: "invalid_argument" });
    }
    expect(site.gateway.entities.faults.calls).toEqual([]);
  });

  it("is 405 for another method", async () => {
    const answer = await fetch(site.gateway.origin + CHECK, { headers: asUser(site) });
    expect([answer.status, answer.headers.get("allow"), (await answer.json()).code]).toEqual([
      405,
      "POST, OPTIONS",
      "unimplemented",
    ]);
  });

  it("is 501 in a deployment without the entities service", async () => {
    const without = await startAuthGateway();
    for (const { path } of SPELLINGS) {
      const answer = await fetch(without.origin + path, { method: "POST" });
      expect([answer.status, (await answer.json()).code]).toEqual([501, "unimplemented"]);
    }
    await without.stop();
  });
});

describe("a failure behind the gateway", () => {
  it.each([
    ["of the service", new ConnectError("inside", Code.Unavailable), 503, "unavailable", "1"],
    ["of a transaction", new ConnectError("inside", Code.Aborted), 503, "unavailable", "1"],
    ["by time", new ConnectError("inside", Code.DeadlineExceeded), 504, "deadline_exceeded", null],
    ["inside", new ConnectError("inside", Code.Internal), 500, "internal", null],
    [
      "by refusing the gateway itself, which is no 401",
      new ConnectError("inside", Code.Unauthenticated),
      500,
      "internal",
      null,
    ],
    [
      "by refusing the gateway itself, which is no 403",
      new ConnectError("inside", Code.PermissionDenied),
      500,
      "internal",
      null,
    ],
    ["by an older version", new ConnectError("inside", Code.Unimplemented), 501, "unimplemented", null],
    [
      "by a limit",
      toConnectError(new ServiceError("resource_exhausted", "inside", { retryAfterSeconds: 7 }), () => undefined),
      429,
      "resource_exhausted",
      "7",
    ],
    ["by a limit without a time", new ConnectError("inside", Code.ResourceExhausted), 429, "resource_exhausted", "60"],
  ])("%s is answered by its status, without anything of the inside", async (_, failure, status, code, retryAfter) => {
    site.gateway.entities.faults.failure = failure;
    const { headers, ...error } = await callErrorOf(send(ISSUE, PURCHASE));
    expect(error).toMatchObject({ status, code });
    expect(headers.get("retry-after")).toBe(retryAfter);
    expect(JSON.stringify(error)).not.toContain("inside");
  });
});
