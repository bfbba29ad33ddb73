import { APIError, buildAuthorizationUrl, createClient, generatePKCEParams } from "@echoxyz/sonar-core";
import { createRemoteJWKSet, decodeJwt, jwtVerify } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { mockFiles } from "../../scripts/client-package.ts";
import {
  beginSignIn,
  exchangeCode,
  follow,
  readCallback,
  readCommitmentData,
  readPosition,
  readSale,
  refreshTokens,
  revokeToken,
  type SaleFacts,
  type Snapshot,
  TidemarkError,
  UserCalls,
} from "../index.ts";
import { type RunningMock, startMock } from "./index.ts";

const SALE = "99999999-9999-4999-8999-999999999999";
const WALLET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const CLIENT = "22222222-2222-4222-8222-222222222222";
const REDIRECT_URI = "http://localhost:3000/oauth/callback?from=mock";

let mock: RunningMock;
beforeAll(async () => {
  mock = await startMock({ ...mockFiles(), prefix: "sonar", tickMs: 20 });
});
afterAll(() => mock.close());
beforeEach(async () => void (await fetch(`${mock.url}/mock/states`, { method: "DELETE" })));

async function choose(states: object): Promise<void> {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(states) };
  expect((await fetch(`${mock.url}/mock/states`, init)).status).toBe(200);
}

/** Follows a redirect of the browser by one step. */
async function comeBack(url: string | URL): Promise<string> {
  const { status, headers } = await fetch(url, { redirect: "manual" });
  expect(status).toBe(303);
  return headers.get("location") ?? "";
}

function codeOf(thrown: Promise<unknown>): Promise<unknown> {
  return thrown.then(
    () => "no error",
    (error: unknown) => (error instanceof TidemarkError ? error.code : error),
  );
}

describe("our own client", () => {
  const application = () => ({ issuer: mock.url, clientId: CLIENT, redirectUri: REDIRECT_URI });
  const server = () => ({ url: mock.url, prefix: "sonar" });

  async function signIn(scope?: string) {
    const { url, attempt } = await beginSignIn(application(), scope === undefined ? {} : { scope });
    const code = readCallback(application(), await comeBack(url), attempt);
    return { code, attempt, tokens: await exchangeCode(application(), code, attempt) };
  }

  it("signs in, and gets a profile, an entity, a check, a permit, limits and history", async () => {
    const { tokens } = await signIn();
    const user = new UserCalls(server(), tokens.access_token);
    const { EntityID, EmailAddress } = await user.myProfile();
    expect(EmailAddress).toMatch(/@/);
    const { Entities } = await user.listAvailableEntities(SALE);
    expect(await user.readEntity({ SaleUUID: SALE, EntityID })).toEqual({ Entity: Entities[0] });
    const request = { SaleUUID: SALE, EntityID, PurchasingWalletAddress: WALLET };
    expect((await user.prePurchaseCheck(request)).ReadyToPurchase).toBe(true);
    const { PermitJSON } = await user.generatePurchasePermit(request);
    expect(PermitJSON).toMatchObject({ Wallet: WALLET, SaleUUID: `0x${SALE.replaceAll("-", "")}` });
    expect(PermitJSON.ExpiresAt).toBeGreaterThan(PermitJSON.OpensAt);
    expect(await user.limits({ SaleUUID: SALE, WalletAddress: WALLET })).toHaveProperty("MaxCommitmentAmount");
    expect(await user.investmentHistory()).toEqual({ Investments: [] });
    const unknown = { ...request, EntityID: crypto.randomUUID() };
    expect(await codeOf(user.prePurchaseCheck(unknown))).toBe("not_found");
  });

  it("gets tokens that verify with the key of the mock, and say what was granted", async () => {
    const { tokens } = await signIn("read_entities");
    const keys = createRemoteJWKSet(new URL("/.well-known/jwks.json", mock.url));
    const { payload } = await jwtVerify(tokens.access_token, keys, {
      issuer: mock.url,
      audience: mock.url,
      typ: "at+jwt",
    });
    expect(payload).toMatchObject({ client_id: CLIENT, scope: "read_entities" });
    const user = new UserCalls(server(), tokens.access_token);
    expect(await user.myProfile()).not.toHaveProperty("EmailAddress");
    const refusal = user.limits({ SaleUUID: SALE, WalletAddress: WALLET });
    expect(await codeOf(refusal)).toBe("permission_denied");
  });

  it("is granted nothing for scopes that the service doesn't know", async () => {
    const { tokens } = await signIn(" openid  profile email contact_email");
    expect(tokens.scope).toBe("openid contact_email");
    const claims = decodeJwt(tokens.id_token ?? "");
    expect(claims).toMatchObject({ email_verified: true });
    expect(claims).not.toHaveProperty("auth_time");
    expect((await signIn("openid")).tokens.scope).toBe("openid");
  });

  it("is refused a used code, another verifier, and tokens that are revoked or expired", async () => {
    const { code, attempt, tokens } = await signIn();
    expect(await codeOf(exchangeCode(application(), code, attempt))).toBe("invalid_grant");
    const begun = await beginSignIn(application());
    const other = readCallback(application(), await comeBack(begun.url), begun.attempt);
    expect(await codeOf(exchangeCode(application(), other, attempt))).toBe("invalid_grant");
    const next = await refreshTokens(application(), tokens.refresh_token);
    const again = await refreshTokens(application(), tokens.refresh_token);
    expect(again.refresh_token).toBe(next.refresh_token);
    await revokeToken(application(), next.refresh_token);
    expect(await codeOf(refreshTokens(application(), next.refresh_token))).toBe("invalid_grant");
    const ended = new UserCalls(server(), tokens.access_token);
    expect(await codeOf(ended.myProfile())).toBe("unauthenticated");
    expect(await codeOf(new UserCalls(server(), "nonsense").myProfile())).toBe("unauthenticated");
  });

  it("comes back with the chosen error", async () => {
    await choose({ "sign-in": "access_denied" });
    const { url, attempt } = await beginSignIn(application());
    const back = await comeBack(url);
    expect(await codeOf((async () => readCallback(application(), back, attempt))())).toBe("access_denied");
  });

  it("reads a sale, its figures and a position, each as it is chosen", async () => {
    await choose({ Stage: "closed", feed: "standing-still" });
    expect(await readSale(server(), SALE)).toMatchObject({ SaleUUID: SALE, Stage: "closed", BehindSeconds: 120 });
    await choose({ NotCountedReason: "no_amount", commitments: "" });
    const position = await readPosition(server(), { SaleUUID: SALE, Wallet: WALLET });
    expect(position).toMatchObject({ Wallet: WALLET.toLowerCase(), Commitments: [{ Counted: false }] });
    await choose({ commitments: "none" });
    expect(await readCommitmentData(server(), SALE)).toMatchObject({ Commitments: [], TotalCommitmentAmount: "0" });
    await choose({ "status.read-sale": "503" });
    await expect(readSale(server(), SALE)).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 1 });
    expect(await codeOf(readSale(server(), "no UUID"))).toBe("unavailable");
    await choose({ "status.read-sale": "" });
    expect(await codeOf(readSale(server(), "no UUID"))).toBe("invalid_argument");
  });

  it("follows figures that change, and states that are chosen meanwhile", async () => {
    const leaving = new AbortController();
    const snapshots: Snapshot[] = [];
    const stages: SaleFacts["Stage"][] = [];
    await follow(server(), SALE, {
      signal: leaving.signal,
      onData: (snapshot) => {
        snapshots.push(snapshot);
        if (snapshots.length === 3) void choose({ Stage: "closed" });
      },
      onSale: ({ Stage }) => {
        stages.push(Stage);
        if (Stage === "closed") leaving.abort();
      },
    });
    const [first, second] = snapshots.map(({ data }) => data);
    expect(second?.UniqueCommitmentCount).toBe((first?.UniqueCommitmentCount ?? 0) + 1);
    expect(second?.Commitments.slice(1)).toEqual(first?.Commitments);
    expect(stages).toEqual(["commitment", "closed"]);
  });

  it("polls where the stream is refused", async () => {
    await choose({ "status.stream": "503", stream: "still" });
    const leaving = new AbortController();
    const seen: Snapshot[] = [];
    const onConnection = (connection: string) => connection === "polling" && leaving.abort();
    await follow(server(), SALE, {
      signal: leaving.signal,
      onData: (snapshot) => void seen.push(snapshot),
      onConnection,
    });
    expect(seen[0]?.data).toEqual(await readCommitmentData(server(), SALE));
  });
});

describe("the client of the existing service, unmodified", () => {
  it("signs in, makes every call, and signs out on a 401 only", async () => {
    let signOuts = 0;
    const client = createClient({ apiURL: mock.url, onUnauthorized: () => (signOuts += 1) });
    const { codeVerifier, codeChallenge, state } = await generatePKCEParams();
    const request = { clientUUID: CLIENT, redirectURI: REDIRECT_URI, state, codeChallenge, frontendURL: mock.url };
    const back = new URL(await comeBack(buildAuthorizationUrl(request)));
    expect(back.searchParams.get("state")).toBe(state);
    const code = back.searchParams.get("code") ?? "";
    const tokens = await client.exchangeAuthorizationCode({ code, codeVerifier, redirectURI: REDIRECT_URI });
    client.setToken(tokens.access_token);
    const { EntityID: entityID } = await client.myProfile();
    const bid = { saleUUID: SALE, entityID, walletAddress: WALLET };
    expect((await client.listAvailableEntities({ saleUUID: SALE })).Entities).toHaveLength(1);
    expect((await client.readEntity({ saleUUID: SALE, entityID })).Entity.EntityID).toBe(entityID);
    expect(await client.prePurchaseCheck(bid)).toMatchObject({ ReadyToPurchase: true });
    expect((await client.generatePurchasePermit(bid)).PermitJSON).toHaveProperty("OpensAt");
    expect(await client.fetchLimits(bid)).toHaveProperty("MinCommitmentAmount");
    expect(await client.readEntityInvestmentHistory()).toEqual({ Investments: [] });
    expect(await client.readCommitmentData({ saleUUID: SALE })).toHaveProperty("Commitments");
    const { refresh_token: refreshToken } = tokens;
    expect((await client.refreshToken({ refreshToken })).access_token).not.toBe(tokens.access_token);
    const refusal = (call: Promise<unknown>) =>
      call.then(
        () => 0,
        (error: unknown) => error instanceof APIError && error.status,
      );
    await choose({ FailureReason: "wallet-not-linked" });
    expect(await client.prePurchaseCheck(bid)).toMatchObject({ FailureReason: "wallet-not-linked" });
    expect(await refusal(client.generatePurchasePermit(bid))).toBe(400);
    expect(await refusal(client.refreshToken({ refreshToken: "unknown" }))).toBe(400);
    await choose({ "status.my-profile": "403" });
    expect(await refusal(client.myProfile())).toBe(403);
    expect([signOuts, client.getToken()]).toEqual([0, tokens.access_token]);
    await choose({ "status.my-profile": "401" });
    expect(await refusal(client.myProfile())).toBe(401);
    expect([signOuts, client.getToken()]).toEqual([1, undefined]);
  });
});
