import { randomUUID } from "node:crypto";
import * as oauth from "oauth4webapi";
import { encodeAbiParameters, parseAbiParameters, recoverMessageAddress } from "viem/utils";
import { expect, it } from "vitest";
import { OPERATIONS, pathsOf } from "../../../gateway/public-calls/operations.ts";
import { sampleGroup } from "../../../services/entities/testing/sample-rules.ts";
import { DpopApplication, type ProofChanges } from "../../support/applications/dpop-application.ts";
import { describeParticipationWeb } from "../../support/applications/taking-part-web.ts";
import { tokensIn, WebApplication } from "../../support/applications/web-application.ts";
import { ISSUER } from "../../support/processes/auth-fixture.ts";
import { SOON } from "../../support/repository/polling.ts";

/** `PurchasePermitV3`, as a sale's contract decodes it, with the names of `PermitJSON`. */
const PERMIT_V3 = parseAbiParameters([
  "Permit permit",
  "struct Permit { bytes16 SaleSpecificEntityID; bytes16 SaleUUID; address Wallet; uint64 ExpiresAt; uint256 MinAmount; uint256 MaxAmount; uint64 MinPrice; uint64 MaxPrice; uint64 OpensAt; uint64 ClosesAt; bytes Payload; }",
]);
const WALLET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

describeParticipationWeb("an application calls for its user", (web) => {
  it("who has no entity yet, one that isn't complete, and then one that may bid", async () => {
    const { saleUuid: SaleUUID } = await web().openSale();
    const user = await web().user(SaleUUID);
    const call = (path: string, body: object = {}) => web().call(path, body, user.accessToken);
    expect(await call("/externalapi.MyProfile")).toEqual({
      status: 200,
      body: { EntityID: "", EmailAddress: user.email },
    });
    expect(await call("/svc/v1/list-available-entities", { SaleUUID })).toEqual({
      status: 200,
      body: { Entities: [] },
    });
    expect(await call("/externalapi.ReadEntity", { SaleUUID })).toMatchObject({
      status: 404,
      body: { code: "not_found" },
    });

    await web().createEntity(user, { complete: false });
    const { body: incomplete } = await call("/externalapi.ReadEntity", { SaleUUID });
    expect(incomplete.Entity).toEqual({
      Label: "Alice",
      EntityID: expect.stringMatching(/^[0-9a-f-]{36}$/),
      SaleSpecificEntityID: expect.stringMatching(/^0x[0-9a-f]{32}$/),
      EntityType: "user",
      EntitySetupState: "not-started",
      SaleEligibility: "unknown-setup-incomplete",
      InvestingRegion: "unknown",
    });
    const { EntityID } = incomplete.Entity;
    const bid = { SaleUUID, EntityID, PurchasingWalletAddress: WALLET };
    const failure = { FailureReason: "unknown", LivenessCheckURL: "" };
    expect(await call("/svc/v1/pre-purchase-check", bid)).toEqual({
      status: 200,
      body: { ReadyToPurchase: false, ...failure },
    });

    const other = await web().user(SaleUUID);
    await web().createEntity(other);
    const { body: profile } = await web().call("/svc/v1/my-profile", {}, other.accessToken);
    const ready = { ...bid, EntityID: profile.EntityID };
    expect(await web().call("/externalapi.PrePurchaseCheck", ready, other.accessToken)).toEqual({
      status: 200,
      body: { ReadyToPurchase: true, FailureReason: "", LivenessCheckURL: "" },
    });
    expect(await web().call("/externalapi.PrePurchaseCheck", ready, user.accessToken)).toMatchObject({ status: 404 });
  });

  it("and gets a permit that only the sale's key can have signed, for exactly what its JSON says", async () => {
    const group = sampleGroup({ minAmount: 5n, maxAmount: 7n, forcedLockup: true });
    const { saleUuid: SaleUUID, permits } = await web().openSale({ groups: [group] });
    const user = await web().user(SaleUUID);
    await web().createEntity(user);
    const call = (path: string, body: object = {}) => web().call(path, body, user.accessToken);
    const { body: profile } = await call("/externalapi.MyProfile");
    const bid = { SaleUUID, EntityID: profile.EntityID, PurchasingWalletAddress: WALLET };
    const { status, body } = await call("/externalapi.GenerateSalePurchasePermit", bid);
    const { body: own } = await call("/externalapi.ReadEntity", { SaleUUID, WalletAddress: WALLET });
    const { PermitJSON: permit, Signature: signature } = body;
    expect([status, permit]).toMatchObject([
      200,
      {
        SaleSpecificEntityID: own.Entity.SaleSpecificEntityID,
        SaleUUID: `0x${SaleUUID.replaceAll("-", "")}`,
        Wallet: WALLET,
        ExpiresAt: Math.floor(Number(web().service.auth.time.now()) / 1_000) + 600,
        MinAmount: "5",
        MaxAmount: "7",
        Payload: `0x${"1".padStart(64, "0")}`,
      },
    ]);
    const { keys } = await permits.listKeys({ saleUuid: SaleUUID });
    const message = { raw: encodeAbiParameters(PERMIT_V3, [permit]) };
    expect(await recoverMessageAddress({ message, signature })).toBe(keys[0]?.address);
    const sale = async () => (await fetch(`${web().origin}/svc/v1/public/sales/${SaleUUID}`)).json();
    // The gateway doesn't wait long for a signer that it doesn't know yet.
    await expect.poll(sale, SOON).toMatchObject({ Signer: keys[0]?.address.toLowerCase(), Stage: "commitment" });
    expect(await call("/svc/v1/limits", { SaleUUID, WalletAddress: WALLET })).toEqual({
      status: 200,
      body: { HasCustomCommitmentAmountLimit: false, MinCommitmentAmount: "5", MaxCommitmentAmount: "7" },
    });
  });

  it("and gets the reason where there is no permit", async () => {
    const group = sampleGroup({ opensAt: 9_000_000_000n });
    const { saleUuid: SaleUUID } = await web().openSale({ groups: [group] });
    const user = await web().user(SaleUUID);
    await web().createEntity(user);
    const { body: profile } = await web().call("/externalapi.MyProfile", {}, user.accessToken);
    const bid = { SaleUUID, EntityID: profile.EntityID, PurchasingWalletAddress: WALLET };
    const failure = { FailureReason: "outside-time-window", LivenessCheckURL: "" };
    expect((await web().call("/externalapi.PrePurchaseCheck", bid, user.accessToken)).body).toEqual({
      ReadyToPurchase: false,
      ...failure,
    });
    expect(await web().call("/svc/v1/generate-purchase-permit", bid, user.accessToken)).toMatchObject({
      status: 400,
      body: { code: "failed_precondition", details: failure },
    });
  });

  it("with several entities, of which one must be named", async () => {
    const { saleUuid: SaleUUID } = await web().openSale();
    const user = await web().user(SaleUUID);
    const read = (more: object = {}) => web().call("/externalapi.ReadEntity", { SaleUUID, ...more }, user.accessToken);
    for (const label of ["Me", "My company"]) await web().createEntity(user, { label });
    const { status, body } = await read();
    expect([status, body.code, body.details.violations[0].field]).toEqual([400, "invalid_argument", "EntityID"]);
    const { body: all } = await web().call("/svc/v1/list-available-entities", { SaleUUID }, user.accessToken);
    expect(all.Entities.map(({ Label, EntityType }: Record<string, string>) => [Label, EntityType])).toEqual([
      ["Me", "user"],
      ["My company", "organization"],
    ]);
    const [, { EntityID }] = all.Entities;
    expect((await read({ EntityID })).body.Entity).toEqual(all.Entities[1]);
    expect(await read({ EntityID: randomUUID() })).toMatchObject({ status: 404 });
    expect(await read({ WalletAddress: WALLET })).toMatchObject({ status: 404 });
    expect(
      await web().call("/externalapi.Limits", { SaleUUID, WalletAddress: WALLET }, user.accessToken),
    ).toMatchObject({
      status: 404,
    });
  });

  it("and is refused without a valid token with 401, and for another sale with 403", async () => {
    const [first, second] = [await web().openSale(), await web().openSale()];
    const user = await web().user(first.saleUuid);
    const list = (SaleUUID: string, token: string) =>
      web().call("/externalapi.ListAvailableEntities", { SaleUUID }, token);
    expect(await list(first.saleUuid, user.accessToken)).toMatchObject({ status: 200 });
    expect(await list(second.saleUuid, user.accessToken)).toMatchObject({
      status: 403,
      body: { code: "permission_denied" },
    });
    expect(await list(first.saleUuid, `${user.accessToken}x`)).toMatchObject({ status: 401 });
    await web().service.auth.as("gateway").accounts.signOut({ sessionToken: user.session.sessionToken });
    const application = await web().service.applicationOf(first.saleUuid);
    await application.revoke(user.accessToken);
    expect(await list(first.saleUuid, user.accessToken)).toMatchObject({
      status: 401,
      body: { code: "unauthenticated" },
    });
  });

  it("and proves its key with a bound token at every path, once each, and never sends it as Bearer (RFC 9449 7)", async () => {
    const { saleUuid: SaleUUID } = await web().openSale();
    const { session } = await web().user(SaleUUID);
    const { origin, service } = web();
    const rpc = await service.applicationOf(SaleUUID);
    const { code, codeVerifier } = await rpc.code(session.sessionToken);
    const application = new WebApplication(origin, rpc.client);
    const proved = await DpopApplication.create({ origin, service: service.auth }, application);
    const exchange = application.exchangeParameters(code, { code_verifier: codeVerifier });
    const { accessToken } = tokensIn(await proved.token(exchange));
    const bid = { SaleUUID, EntityID: randomUUID(), PurchasingWalletAddress: WALLET, WalletAddress: WALLET };
    const paths = OPERATIONS.filter((operation) => "scope" in operation).flatMap((operation) =>
      pathsOf(operation, "svc"),
    );
    expect(paths).toHaveLength(14);
    for (const path of paths) {
      const challenge = async (headers: Record<string, string>) => {
        const answer = await proved.call(path, bid, headers);
        return [answer.status, answer.headers.get("www-authenticate") ?? ""];
      };
      const proof = await proved.accessHeaders(accessToken, path);
      // Who has no entity yet is told so; the token is accepted.
      expect((await proved.call(path, bid, proof)).status, path).toBeOneOf([200, 404]);
      expect(await challenge(proof)).toEqual([401, expect.stringMatching(/^DPoP .*error="invalid_dpop_proof".*jti/)]);
      for (const scheme of ["Bearer", "api:Bearer"]) {
        const headers = {
          ...(await proved.accessHeaders(accessToken, path)),
          authorization: `${scheme} ${accessToken}`,
        };
        expect(await challenge(headers)).toEqual([401, expect.stringMatching(/^DPoP .*error="invalid_token".*algs="/)]);
      }
    }
    const [path = "", other = ""] = paths;
    const refused: [ProofChanges, string][] = [
      [{ claims: { htu: ISSUER + other } }, "invalid_dpop_proof"],
      [{ claims: { ath: undefined } }, "invalid_dpop_proof"],
      [{ claims: { nonce: undefined } }, "use_dpop_nonce"],
    ];
    for (const [changes, error] of refused) {
      const answer = await proved.call(path, bid, await proved.accessHeaders(accessToken, path, changes));
      expect(answer).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
      expect(answer.headers.get("www-authenticate")).toContain(`error="${error}"`);
      expect(answer.headers.get("dpop-nonce")).toMatch(/^[A-Za-z0-9_-]{43}$/);
    }
    const thief = await proved.withOtherKey();
    const stolen = await proved.call(path, bid, await thief.accessHeaders(accessToken, path));
    expect(stolen.headers.get("www-authenticate")).toContain('error="invalid_token"');
  });

  it("and oauth4webapi does so from the exchange on, once it has a nonce (RFC 9449 7 and 9)", async () => {
    const { saleUuid: SaleUUID } = await web().openSale();
    const user = await web().user(SaleUUID);
    await web().createEntity(user);
    const rpc = await web().service.applicationOf(SaleUUID);
    const { code, codeVerifier } = await rpc.code(user.session.sessionToken);
    // The library calls the issuer, which is behind the gateway's port here.
    const options = {
      [oauth.customFetch]: (url: string, { body = null, ...init }: oauth.CustomFetchOptions<string, unknown>) =>
        fetch(url.replace(ISSUER, web().origin), { ...init, body: body as BodyInit | null } as RequestInit),
    };
    const issuer = new URL(ISSUER);
    const discovery = await oauth.discoveryRequest(issuer, { ...options, algorithm: "oauth2" });
    const server = await oauth.processDiscoveryResponse(issuer, discovery);
    const client = { client_id: rpc.client.uuid };
    const DPoP = oauth.DPoP({}, await oauth.generateKeyPair("ES256"));
    const redirect = rpc.client.definition.redirectUris[0] ?? "";
    const callback = new URL(`${redirect}?${new URLSearchParams({ code, iss: ISSUER })}`);
    const parameters = oauth.validateAuthResponse(server, client, callback, oauth.expectNoState);
    const proved = { ...options, DPoP };
    const exchange = async () =>
      oauth.processAuthorizationCodeResponse(
        server,
        client,
        await oauth.authorizationCodeGrantRequest(
          server,
          client,
          oauth.None(),
          parameters,
          redirect,
          codeVerifier,
          proved,
        ),
      );
    const challenge = await exchange().catch((error) => error);
    expect(oauth.isDPoPNonceError(challenge)).toBe(true);
    const { access_token: token, token_type: type, refresh_token: refreshToken = "" } = await exchange();
    expect(type).toBe("dpop");
    const refreshed = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshToken, proved),
    );
    const body = JSON.stringify({ SaleUUID });
    const headers = new Headers({ "content-type": "application/json" });
    for (const accessToken of [token, refreshed.access_token]) {
      const url = new URL("/svc/v1/list-available-entities", ISSUER);
      const answer = await oauth.protectedResourceRequest(accessToken, "POST", url, headers, body, proved);
      expect(await answer.json()).toMatchObject({ Entities: [{ Label: "Alice" }] });
      await expect(
        oauth.protectedResourceRequest(accessToken, "POST", url, headers, body, options),
      ).rejects.toMatchObject({ cause: [{ scheme: "dpop", parameters: { error: "invalid_token" } }] });
    }
    const answer = await oauth.userInfoRequest(server, client, token, proved);
    expect(await oauth.processUserInfoResponse(server, client, oauth.skipSubjectCheck, answer)).toMatchObject({
      email: user.email,
    });
  });

  it("and names the public field of a wallet that is none", async () => {
    const { saleUuid: SaleUUID } = await web().openSale();
    const user = await web().user(SaleUUID);
    await web().createEntity(user);
    const { body: profile } = await web().call("/externalapi.MyProfile", {}, user.accessToken);
    const bid = { SaleUUID, EntityID: profile.EntityID, PurchasingWalletAddress: "0x12" };
    const { status, body } = await web().call("/externalapi.PrePurchaseCheck", bid, user.accessToken);
    expect([status, body.details.violations[0].field]).toEqual([400, "PurchasingWalletAddress"]);
    const limits = await web().call("/externalapi.Limits", { SaleUUID, WalletAddress: "0x12" }, user.accessToken);
    expect([limits.status, limits.body.details.violations[0].field]).toEqual([400, "WalletAddress"]);
  });
});
