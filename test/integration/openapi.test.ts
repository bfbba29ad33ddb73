import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AuthGateway, startAuthGateway } from "../../gateway/testing/auth-gateway.ts";
import { SALE, saleAt } from "../../gateway/testing/fake-commitments.ts";
import { StreamReader } from "../../gateway/testing/stream-reader.ts";
import { CheckedAnswers } from "../support/applications/checked-answers.ts";
import { confidentialApplication } from "../support/applications/confidential-application.ts";
import { createFitClient } from "../support/applications/fit-client.ts";
import { queryOf, tokensIn, type WebApplication } from "../support/applications/web-application.ts";
import { type AuthWeb, describeAuthWeb } from "../support/pages/auth-web.ts";
import type { OpenApi } from "../support/repository/openapi.ts";
import {
  amountOf,
  apply,
  auction,
  type DefinitionInit,
  draftSale,
  fixedPricing,
  record,
  USDX,
  WALLET,
} from "../support/sales/sale-messages.ts";

const UNKNOWN_SALE = "00000000-0000-4000-8000-000000000000";
const FORM = "application/x-www-form-urlencoded";
const LARGE = "x".repeat(17 * 1024);
const READ = "POST:sales.ReadCommitmentDataV2";
const POSITION = "POST:sales.ReadPosition";
/** Operations that read a sale by the body of a request. */
const POSTS = [
  [READ, "read-commitment-data"],
  ["POST:sales.ReadSale", "read-sale"],
  [POSITION, "read-position"],
] as const;
/** Operations that read a sale by its path. */
const READS = [
  ["GET:sales.Sale", ""],
  ["GET:sales.CommitmentData", "/commitment-data"],
  ["GET:sales.CommitmentDataStream", "/commitment-data/stream"],
  ["GET:sales.History", "/history"],
  ["GET:sales.Demand", "/demand"],
] as const;

let answers: CheckedAnswers;

const saleUrl = (origin: string, saleUuid: string, path: string) => `${origin}/svc/v1/public/sales/${saleUuid}${path}`;

/** Sends a body to a path of `POSTS`. */
function readBy(name: string, origin: string, body: string, headers: Record<string, string> = {}) {
  const init = { method: "POST", body, headers: { "content-type": "application/json", ...headers } };
  return fetch(`${origin}/svc/v1/public/${name}`, init);
}

const read = (origin: string, body: string) => readBy("read-commitment-data", origin, body);

function post(origin: string, path: string, body: string, contentType = FORM, headers: Record<string, string> = {}) {
  return fetch(origin + path, { method: "POST", body, headers: { "content-type": contentType, ...headers } });
}

/** Asks, checks the answer and ends it, as that of a stream wouldn't end by itself. */
async function check(operationId: string, url: string, init: RequestInit = {}): Promise<Response> {
  const ending = new AbortController();
  const answer = await fetch(url, { redirect: "manual", ...init, signal: ending.signal });
  await answers.check(operationId, answer);
  ending.abort();
  return answer;
}

describeAuthWeb("answers of real services are as the OpenAPI document says", (web) => {
  beforeAll(async () => {
    const document: OpenApi = await (await fetch(`${web().origin}/openapi.json`)).json();
    answers = new CheckedAnswers(document);
  });

  describe("of the public read", () => {
    let rich: string;
    let plain: string;
    beforeAll(async () => {
      const parameters = "uint256 batch, address referrer";
      rich = await openSale(web(), auction({ extraDataParameters: parameters }));
      plain = await openSale(web(), {
        name: "At a fixed price",
        paymentTokens: [{ address: `0x${"a1".repeat(20)}`, decimals: 18 }],
        priceTick: { numerator: "1", denominator: "7" },
        pricing: fixedPricing(3n),
      });
      const { commitments } = web().service;
      const extraData = new Uint8Array(64).fill(1);
      extraData.fill(0, 32, 44);
      const others = [record(8, { refunded: true }), record(9, { amounts: [amountOf(0n)] })];
      const upserts = [record(1, { extraData, amounts: [amountOf(2n ** 200n)] }), record(2), ...others];
      await apply(commitments, rich, { upserts });
      await apply(commitments, plain, { upserts: [record(3, { priceTicks: "0" })] });
    });

    it("where there is a sale", async () => {
      const { origin } = web();
      for (const sale of [rich, plain]) {
        const body = await answers.check(READ, await read(origin, JSON.stringify({ SaleUUID: sale })));
        expect(body).toHaveProperty("Commitments.0.Amounts.0");
        const info = await answers.check(
          "POST:sales.ReadSale",
          await readBy("read-sale", origin, JSON.stringify({ SaleUUID: sale })),
        );
        expect(info).toMatchObject({ SaleUUID: sale, Status: "open", BehindSeconds: 0 });
        for (const [id, path] of READS) {
          const isNone = sale === plain && path === "/demand";
          const answer = await check(id, saleUrl(origin, sale, path));
          expect(answer.status).toBe(isNone ? 404 : 200);
          const etag = answer.headers.get("etag");
          if (etag === null) continue;
          expect((await check(id, saleUrl(origin, sale, path), { headers: { "if-none-match": etag } })).status).toBe(
            304,
          );
        }
      }
    });

    it("of a wallet", async () => {
      const { origin } = web();
      const look = (saleUuid: string, wallet: string, headers = {}) =>
        readBy("read-position", origin, JSON.stringify({ SaleUUID: saleUuid, Wallet: wallet }), headers);
      for (const sale of [rich, plain]) {
        const answer = await look(sale, WALLET);
        expect(await answers.check(POSITION, answer)).toHaveProperty("Commitments.0.Counted", true);
        const again = await look(sale, WALLET, { "if-none-match": answer.headers.get("etag") });
        expect(again.status).toBe(304);
        await answers.check(POSITION, again);
      }
      expect(await answers.check(POSITION, await look(rich, USDX))).toMatchObject({ Commitments: [] });
    });

    it("with fields that only some sales have", async () => {
      const [auctioned, fixed] = await Promise.all(
        [rich, plain].map(async (sale) => (await read(web().origin, JSON.stringify({ SaleUUID: sale }))).json()),
      );
      expect(auctioned).toMatchObject({
        OfferedTokenDecimals: 18,
        ClearingPriceMicroUSD: expect.any(String),
        Commitments: [{ PriceMicroUSD: expect.any(String), ExtraDataParsed: { batch: expect.any(String) } }, {}],
      });
      for (const name of ["OfferedTokenDecimals", "ClearingPriceNumerator"]) expect(fixed).not.toHaveProperty(name);
      expect(fixed.Commitments[0]).not.toHaveProperty("PriceMicroUSD");
    });

    it("in the events of a stream", async () => {
      const stream = await StreamReader.open(saleUrl(web().origin, rich, "/commitment-data/stream"));
      const state = await stream.feedEvent();
      const sale = await stream.saleEvent();
      const body = await stream.event();
      await apply(web().service.commitments, rich, { upserts: [record(4)] });
      const difference = await stream.event();
      stream.close();
      expect([state, body, difference].map(({ event }) => event)).toEqual(["state", "body", "difference"]);
      for (const [schema, { data }] of [
        ["FeedState", state],
        ["SaleEvent", sale],
        ["CommitmentData", body],
        ["CommitmentDataDifference", difference],
      ] as const) {
        const errors = answers.schemas.errors({ $ref: `#/components/schemas/${schema}` }, JSON.parse(data ?? ""));
        expect(errors, schema).toEqual([]);
      }
    });

    it("where the request is wrong, or there is no such sale", async () => {
      const { origin } = web();
      for (const [id, name] of POSTS) {
        for (const [status, body, headers] of [
          [400, '{"SaleUUID":"1"}', {}],
          [400, "[]", {}],
          [404, JSON.stringify({ SaleUUID: UNKNOWN_SALE, Wallet: WALLET }), {}],
          [413, LARGE, {}],
          [415, "{}", { "content-type": "text/plain" }],
        ] as const) {
          const answer = await readBy(name, origin, body, headers);
          expect(answer.status).toBe(status);
          await answers.check(id, answer);
        }
        const tooLarge = await readBy(name, origin, "{}", { "x-large": LARGE });
        expect(tooLarge.status).toBe(431);
        await answers.check(id, tooLarge, "default");
      }
      for (const [id, path] of READS) {
        expect((await check(id, saleUrl(origin, "no-uuid", path))).status).toBe(400);
        expect((await check(id, saleUrl(origin, UNKNOWN_SALE, path))).status).toBe(404);
        await answers.check(id, await fetch(saleUrl(origin, rich, path), { method: "PUT" }), "default");
      }
    });
  });

  describe("of sign-in", () => {
    let application: WebApplication;
    beforeAll(async () => {
      application = await web().application();
    });
    const token = (body: string, contentType?: string, headers?: Record<string, string>) =>
      post(web().origin, "/oauth/token", body, contentType, headers);
    const revoke = (body: string, contentType?: string, headers?: Record<string, string>) =>
      post(web().origin, "/oauth/revoke", body, contentType, headers);
    const push = (body: string, contentType?: string, headers?: Record<string, string>) =>
      post(web().origin, "/oauth/par", body, contentType, headers);
    const introspect = (body: string, contentType?: string, headers?: Record<string, string>) =>
      post(web().origin, "/oauth/introspect", body, contentType, headers);
    const userInfo = (authorization?: string, method = "GET") =>
      fetch(`${web().origin}/oauth/userinfo`, {
        method,
        headers: authorization === undefined ? {} : { authorization },
      });

    it("from the request to the end", async () => {
      const { browser } = await web().user();
      const cookie = Array.from(browser.cookies, ([name, value]) => `${name}=${value}`).join("; ");
      const pushed = await push(queryOf(application.authorizeParameters()));
      expect(pushed.status).toBe(201);
      await answers.check("POST:oauth.PushedAuthorizationRequest", pushed);
      const url = web().origin + application.authorizePath();
      expect((await check("GET:oauth.Authorize", url, { headers: { cookie } })).status).toBe(303);
      const code = await application.code(browser);
      const exchanged = await token(queryOf(application.exchangeParameters(code)));
      const tokens = (await answers.check("POST:oauth.Token", exchanged)) as Record<string, string>;
      const asJson = JSON.stringify(application.refreshParameters(tokens["refresh_token"] ?? ""));
      const refreshed = await token(asJson, "application/json");
      expect(refreshed.status).toBe(200);
      const next = (await answers.check("POST:oauth.Token", refreshed)) as Record<string, string>;
      for (const [id, method] of [
        ["GET:oauth.UserInfo", "GET"],
        ["POST:oauth.UserInfo", "POST"],
      ] as const) {
        const answer = await userInfo(`Bearer ${next["access_token"]}`, method);
        expect(answer.status).toBe(200);
        await answers.check(id, answer);
        await answers.check(id, await userInfo(undefined, method));
        await answers.check(id, await userInfo("Bearer wrong", method));
        const malformed = await userInfo("Bearer a b", method);
        expect(malformed.status).toBe(400);
        await answers.check(id, malformed);
      }
      const gone = await revoke(queryOf({ token: next["refresh_token"] ?? "", client_id: application.client.uuid }));
      expect(gone.status).toBe(200);
      await answers.check("POST:oauth.Revoke", gone);
    });

    it("about tokens of an application with a server", async () => {
      const { browser } = await web().user();
      const { application: own, asserted } = await confidentialApplication(web());
      const tokens = tokensIn(await own.exchange(await own.code(browser), await asserted()));
      for (const token of [tokens.accessToken, tokens.refreshToken, "guessed"]) {
        const answer = await introspect(queryOf({ token, ...(await asserted()) }));
        expect(answer.status).toBe(200);
        await answers.check("POST:oauth.Introspect", answer);
      }
    });

    it("where the user has not granted a scope that the application requires by now", async () => {
      const { browser } = await web().user();
      const own = await web().application();
      const { accessToken } = await own.tokens(browser);
      const { clients } = web().service;
      const { name, redirectUris, scopes } = own.client.definition;
      const definition = {
        name,
        redirectUris: [...redirectUris],
        scopes: scopes.map(({ scope }) => ({ scope, required: true })),
      };
      await clients.updateClient({ clientUuid: own.client.uuid, definition, expectedVersion: own.client.version });
      for (const method of ["GET", "POST"]) {
        const answer = await userInfo(`Bearer ${accessToken}`, method);
        expect(answer.status).toBe(403);
        expect(answer.headers.get("www-authenticate")).toContain('error="insufficient_scope"');
        await answers.check(`${method}:oauth.UserInfo`, answer);
      }
    });

    it("where the request is wrong", async () => {
      expect((await check("GET:oauth.Authorize", `${web().origin}/oauth/authorize?client_id=x`)).status).toBe(400);
      const logout = (query: string) => check("GET:oauth.Logout", `${web().origin}/oauth/logout${query}`);
      const queries = ["", "?ui_locales=de", "?post_logout_redirect_uri=https://evil.example/"];
      expect((await Promise.all(queries.map(logout))).map(({ status }) => status)).toEqual([200, 303, 400]);
      for (const [id, send] of [
        ["POST:oauth.Token", token],
        ["POST:oauth.Revoke", revoke],
        ["POST:oauth.PushedAuthorizationRequest", push],
        ["POST:oauth.Introspect", introspect],
      ] as const) {
        const wrong = await Promise.all([
          send("grant_type=authorization_code"),
          send("grant_type=refresh_token&refresh_token=a&token=b", FORM, { authorization: "Basic eDp5" }),
          send(`a=${LARGE}`),
          send("{}", "text/plain"),
        ]);
        expect(wrong.map(({ status }) => status)).toEqual([400, 401, 413, 415]);
        for (const answer of wrong) await answers.check(id, answer);
      }
    });

    it("of what is published", async () => {
      await check("GET:oauth.Metadata", `${web().origin}/.well-known/oauth-authorization-server`);
      await check("GET:oauth.OpenIdConfiguration", `${web().origin}/.well-known/openid-configuration`);
      await check("GET:oauth.Keys", `${web().origin}/.well-known/jwks.json`);
    });
  });

  /** Answers that healthy services don't give: here the services behind the gateway fail on command. */
  describe("where services fail", () => {
    let gateway: AuthGateway;
    // What failed a moment ago isn't asked for again at once.
    beforeEach(async () => {
      gateway = await startAuthGateway({ STREAM_MAX_PER_ADDRESS: "1", POSITION_MAX_READS: "1" });
    });
    afterEach(() => gateway.stop());

    it.each([
      [Code.Unavailable, 503],
      [Code.DeadlineExceeded, 504],
      [Code.Internal, 500],
    ])("in the public read with code %s", async (code, status) => {
      gateway.commitments.fail(code);
      for (const [id, name] of POSTS) {
        const answer = await readBy(name, gateway.origin, JSON.stringify({ SaleUUID: SALE, Wallet: WALLET }));
        expect(answer.status).toBe(status);
        await answers.check(id, answer);
      }
      for (const [id, path] of READS) {
        expect((await check(id, saleUrl(gateway.origin, SALE, path))).status).toBe(status);
      }
    });

    it("as too many wallets are being looked up", async () => {
      const { commitments, origin } = gateway;
      commitments.sales.set(SALE, { ...saleAt(1n), position: { wallet: WALLET } });
      commitments.hold();
      const look = () => readBy("read-position", origin, JSON.stringify({ SaleUUID: SALE, Wallet: WALLET }));
      const first = look();
      await expect.poll(() => commitments.positions.length).toBe(1);
      const refused = await look();
      expect(refused.status).toBe(429);
      await answers.check(POSITION, refused);
      commitments.release();
      expect((await first).status).toBe(200);
    });

    it("as there are too many streams", async () => {
      gateway.commitments.sales.set(SALE, saleAt(1n));
      const url = saleUrl(gateway.origin, SALE, "/commitment-data/stream");
      const stream = await StreamReader.open(url);
      expect((await check("GET:sales.CommitmentDataStream", url)).status).toBe(429);
      stream.close();
    });

    it.each([
      [Code.ResourceExhausted, 429],
      [Code.Unavailable, 503],
      [Code.Internal, 500],
    ])("in sign-in with code %s", async (code, status) => {
      gateway.auth.faults.failure = new ConnectError("inside", code);
      const { origin } = gateway;
      const asked = [
        ["GET:oauth.Authorize", fetch(`${origin}/oauth/authorize?client_id=x`)],
        ["GET:oauth.Logout", fetch(`${origin}/oauth/logout`)],
        ["POST:oauth.Token", post(origin, "/oauth/token", "a=b")],
        ["POST:oauth.Revoke", post(origin, "/oauth/revoke", "token=a")],
        ["POST:oauth.PushedAuthorizationRequest", post(origin, "/oauth/par", "client_id=a")],
        ["POST:oauth.Introspect", post(origin, "/oauth/introspect", "token=a")],
        // These have no limit of their own.
        ...(status === 429
          ? []
          : ([
              ["GET:oauth.UserInfo", fetch(`${origin}/oauth/userinfo`, { headers: { authorization: "Bearer a" } })],
              ["POST:oauth.UserInfo", post(origin, "/oauth/userinfo", "", FORM, { authorization: "Bearer a" })],
              ["GET:oauth.Keys", fetch(`${origin}/.well-known/jwks.json`)],
            ] as const)),
      ] as const;
      for (const [id, answer] of asked) {
        expect((await answer).status, id).toBe(status);
        await answers.check(id, await answer);
      }
    });
  });

  it("and every documented answer was seen", () => {
    const named = answers.seen().filter((name) => !name.endsWith("default"));
    // Those for existing clients have gateway/public-calls/documented-answers.test.ts.
    const documented = answers
      .documented()
      .filter((name) => !/^POST:oauth\.(ExchangeAuthorizationCode|Refresh)/.test(name));
    expect(named.toSorted()).toEqual(documented.toSorted());
    const others = answers.seen().filter((name) => name.endsWith("default"));
    expect(others.toSorted()).toEqual(
      [...POSTS, ...READS]
        .map(([id]) => id)
        .map((id) => `${id} default`)
        .toSorted(),
    );
  });
});

/** Opens a sale with a client that may sign its users in. @returns its UUID */
async function openSale({ service }: AuthWeb, definition: DefinitionInit): Promise<string> {
  const saleUuid = await draftSale(service.commitments, definition);
  await createFitClient(service, saleUuid);
  await service.commitments.sales.openSale({ saleUuid });
  return saleUuid;
}
