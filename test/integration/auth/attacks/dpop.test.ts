import { decodeJwt } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { testProver } from "../../../../common/platform/testing/test-prover.ts";
import { updateClient } from "../../../../services/auth/applications/applications-store.ts";
import { DEFAULT_SECURITY } from "../../../../services/auth/applications/definition/application-security.ts";
import { sampleDefinition } from "../../../../services/auth/testing/sample-application.ts";
import { DpopApplication, type ProofChanges } from "../../../support/applications/dpop-application.ts";
import { allow, answerOf, queryOf, tokensIn, type WebTokens } from "../../../support/applications/web-application.ts";
import { describeAuthWebOnEachDatabase, type WebUser } from "../../../support/pages/auth-web.ts";

const MINUTE_MS = 60_000;
const HOUR_S = 3_600;
const AT_ONCE = 10;
const INVALID_PROOF = { status: 400, error: "invalid_dpop_proof" };
const INVALID_GRANT = { status: 400, error: "invalid_grant" };

describeAuthWebOnEachDatabase("DPoP", (web) => {
  let user: WebUser;
  let application: DpopApplication;
  let thief: DpopApplication;
  beforeAll(async () => {
    user = await web().user();
    application = await DpopApplication.create(web(), await web().application());
    thief = await application.withOtherKey();
  });
  const newCode = (changes = {}) => application.application.code(user.browser, changes);
  const newTokens = async (): Promise<WebTokens> => {
    await application.renewNonce();
    return tokensIn(await application.exchange(await newCode()));
  };
  const nowS = () => Number(web().service.time.now() / 1_000n);

  describe("at the token endpoint", () => {
    it("binds the access token to the key, says so, and lets it be used with a proof (RFC 9449 5, 6)", async () => {
      await application.renewNonce();
      const answer = await application.exchange(await newCode());
      expect(answer).toMatchObject({ status: 200, body: { token_type: "DPoP" } });
      const { accessToken, refreshToken } = tokensIn(answer);
      expect(decodeJwt(accessToken)).toMatchObject({ cnf: { jkt: application.prover.thumbprint } });
      expect(await application.userInfo(accessToken)).toMatchObject({ status: 200, body: { sub: expect.any(String) } });
      const refreshed = await application.refresh(refreshToken);
      expect(refreshed).toMatchObject({ status: 200, body: { token_type: "DPoP" } });
      expect(await application.userInfo(tokensIn(refreshed).accessToken)).toMatchObject({ status: 200 });
    });

    it.each<[string, () => ProofChanges, RegExp]>([
      ["2: no JWT", () => ({}), /signed JWT/],
      ["3: without jti", () => ({ claims: { jti: undefined } }), /^jti/],
      ["4: of another type", () => ({ header: { typ: "jwt" } }), /^typ/],
      ["5: with an algorithm that isn't listed", () => ({ header: { alg: "ES256K" } }), /^alg/],
      ["6: of another key than it is signed with", () => ({ header: { jwk: thief.prover.publicJwk } }), /signature/],
      ["7: that shows the private key", () => ({ header: { jwk: application.prover.privateJwk } }), /private/],
      ["8: for another method", () => ({ claims: { htm: "GET" } }), /^htm/],
      ["9: for another URI", () => ({ claims: { htu: "https://evil.example/oauth/token" } }), /^htu/],
      ["9: for the host of the connection", () => ({ claims: { htu: `${web().origin}/oauth/token` } }), /^htu/],
      ["10: without a nonce", () => ({ claims: { nonce: undefined } }), /^nonce/],
      ["10: with an invented nonce", () => ({ claims: { nonce: "n".repeat(43) } }), /^nonce/],
      ["11: of no time", () => ({ claims: { iat: String(nowS()) } }), /^iat/],
    ])("refuses a proof, and doesn't use the code up (RFC 9449 4.3, check %s)", async (name, changes, rule) => {
      const parameters = application.application.exchangeParameters(await newCode());
      await application.renewNonce();
      // A header that jose refuses to sign is put in afterwards; the description shows that not the signature was the reason.
      const { header = {}, ...others } = changes();
      const proof = name.startsWith("2")
        ? "proof"
        : withHeader(await application.proof("POST", "/oauth/token", others), header);
      const refused = await application.tokenWith(parameters, proof);
      const error = name.startsWith("10") ? "use_dpop_nonce" : "invalid_dpop_proof";
      expect(refused).toMatchObject({ status: 400, error });
      expect(refused.body["error_description"]).toMatch(rule);
      expect(refused.headers.get("dpop-nonce")).toMatch(/^[A-Za-z0-9_-]{43}$/);
      expect(await application.token(parameters)).toMatchObject({ status: 200 });
    });

    it("refuses two proofs, and an empty one (RFC 9449 4.3, check 1)", async () => {
      const parameters = application.application.exchangeParameters(await newCode());
      await application.renewNonce();
      const [one, two] = [
        await application.proof("POST", "/oauth/token"),
        await application.proof("POST", "/oauth/token"),
      ];
      expect(await application.tokenWith(parameters, `${one}, ${two}`)).toMatchObject(INVALID_PROOF);
      expect(await application.tokenWith(parameters, "")).toMatchObject(INVALID_PROOF);
      expect(await application.tokenWith(parameters, one)).toMatchObject({ status: 200 });
    });

    it("refuses a proof that was used, also for another code, and uses that up for neither (RFC 9449 11.1)", async () => {
      await application.renewNonce();
      const proof = await application.proof("POST", "/oauth/token");
      const [first, second] = [await newCode(), await newCode()];
      const exchange = (code: string) => application.tokenWith(application.application.exchangeParameters(code), proof);
      const { refreshToken } = tokensIn(await exchange(first));
      expect(await exchange(second)).toMatchObject(INVALID_PROOF);
      const refresh = application.application.refreshParameters(refreshToken);
      expect(await application.tokenWith(refresh, proof)).toMatchObject(INVALID_PROOF);
      expect(await application.exchange(second)).toMatchObject({ status: 200 });
      expect(await application.refresh(refreshToken)).toMatchObject({ status: 200 });
    });

    it.each([-HOUR_S, HOUR_S])(
      "dates a proof by its nonce, not by a clock that is %i seconds wrong, and takes it once (RFC 9449 4.3, 11.1)",
      async (seconds) => {
        const iat = nowS() + seconds;
        const code = await newCode();
        const challenge = await application.exchange(code, { claims: { iat, nonce: undefined } });
        expect(challenge).toMatchObject({ status: 400, error: "use_dpop_nonce" });
        await application.renewNonce();
        const proof = await application.proof("POST", "/oauth/token", { claims: { iat } });
        const exchange = application.application.exchangeParameters(code);
        const { accessToken, refreshToken } = tokensIn(await application.tokenWith(exchange, proof));
        expect(await application.userInfo(accessToken, { claims: { iat } })).toMatchObject({ status: 200 });
        // The proof counts as used for as long as its nonce is accepted.
        const refresh = application.application.refreshParameters(refreshToken);
        const errors: unknown[] = [];
        for (let minute = 0; minute < 6; minute += 1) {
          errors.push((await application.tokenWith(refresh, proof)).error);
          web().service.time.advance(MINUTE_MS);
        }
        expect(new Set(errors)).toEqual(new Set(["invalid_dpop_proof", "use_dpop_nonce"]));
        await application.renewNonce();
        expect(await application.refresh(refreshToken, { claims: { iat } })).toMatchObject({ status: 200 });
      },
    );

    it("has a nonce that changes, and lasts for minutes only, so that no proofs are made in advance (RFC 9449 8, 11.2)", async () => {
      const first = await application.renewNonce();
      const code = await newCode();
      web().service.time.advance(5 * MINUTE_MS);
      const challenge = await application.exchange(code, { claims: { nonce: first } });
      expect(challenge).toMatchObject({ status: 400, error: "use_dpop_nonce" });
      expect(await application.renewNonce()).not.toBe(first);
    });

    it("supplies a fresh nonce with success, too (RFC 9449 8.2)", async () => {
      await application.renewNonce();
      const answer = await application.exchange(await newCode());
      expect(answer).toMatchObject({ status: 200 });
      expect(answer.headers.get("dpop-nonce")).toMatch(/^[A-Za-z0-9_-]{43}$/);
    });
  });

  describe("a stolen refresh token of a public client", () => {
    it("is worthless without the key, and the theft revokes nothing (RFC 9449 5)", async () => {
      const { accessToken, refreshToken } = await newTokens();
      const plain = () => application.application.refresh(refreshToken);
      expect(await plain()).toMatchObject(INVALID_GRANT);
      await thief.renewNonce();
      expect(await thief.refresh(refreshToken)).toMatchObject(INVALID_GRANT);
      const next = tokensIn(await application.refresh(refreshToken));
      web().service.time.advance(MINUTE_MS / 2);
      // Now it was used, and is past its grace.
      expect(await plain()).toMatchObject(INVALID_GRANT);
      expect(await thief.refresh(refreshToken)).toMatchObject(INVALID_GRANT);
      expect(await application.userInfo(accessToken)).toMatchObject({ status: 200 });
      expect(await application.refresh(next.refreshToken)).toMatchObject({ status: 200 });
    });

    it("still revokes all tokens when the key itself uses it twice (RFC 9700 4.14.2)", async () => {
      const { refreshToken } = await newTokens();
      const next = tokensIn(await application.refresh(refreshToken));
      web().service.time.advance(MINUTE_MS / 2);
      expect(await application.refresh(refreshToken)).toMatchObject(INVALID_GRANT);
      expect(await application.refresh(next.refreshToken)).toMatchObject(INVALID_GRANT);
    });

    it("has the same successor within the grace period, for the key only (RFC 9700 4.14.2)", async () => {
      const { refreshToken } = await newTokens();
      const first = tokensIn(await application.refresh(refreshToken));
      expect(tokensIn(await application.refresh(refreshToken)).refreshToken).toBe(first.refreshToken);
      expect(await application.application.refresh(refreshToken)).toMatchObject(INVALID_GRANT);
      expect(await application.refresh(first.refreshToken)).toMatchObject({ status: 200 });
    });

    it(`has one successor in ${AT_ONCE} concurrent refreshes, and one of them with the same proof`, async () => {
      const { refreshToken } = await newTokens();
      const proof = await application.proof("POST", "/oauth/token");
      const parameters = application.application.refreshParameters(refreshToken);
      const replays = Array.from({ length: AT_ONCE }, () => application.tokenWith(parameters, proof));
      const others = Array.from({ length: AT_ONCE }, () => application.refresh(refreshToken));
      const statuses = (await Promise.all(replays)).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([200, ...Array(AT_ONCE - 1).fill(400)]);
      const successors = (await Promise.all(others)).map((answer) => tokensIn(answer).refreshToken);
      expect(new Set(successors).size).toBe(1);
    });

    it("is bound from the first proof on (RFC 9449 5)", async () => {
      const { refreshToken } = await application.application.tokens(user.browser);
      await application.renewNonce();
      const bound = tokensIn(await application.refresh(refreshToken));
      expect(await application.application.refresh(bound.refreshToken)).toMatchObject(INVALID_GRANT);
      expect(await thief.refresh(bound.refreshToken)).toMatchObject(INVALID_GRANT);
      expect(await application.refresh(bound.refreshToken)).toMatchObject({ status: 200 });
    });

    it("isn't bound by a thief who repeats a refresh within the grace period (RFC 9700 4.14.2)", async () => {
      const { refreshToken } = await application.application.tokens(user.browser);
      const own = tokensIn(await application.application.refresh(refreshToken));
      await thief.renewNonce();
      const stolen = tokensIn(await thief.refresh(refreshToken));
      expect(stolen.refreshToken).toBe(own.refreshToken);
      // Whoever comes second with the successor reveals the theft.
      const latest = tokensIn(await thief.refresh(stolen.refreshToken));
      expect(await application.application.refresh(own.refreshToken)).toMatchObject(INVALID_GRANT);
      expect(await thief.refresh(latest.refreshToken)).toMatchObject(INVALID_GRANT);
      expect(await thief.userInfo(latest.accessToken)).toMatchObject({ status: 401, error: "invalid_token" });
    });
  });

  describe("a stolen code", () => {
    it("is exchanged by the key of dpop_jkt only, and isn't used up by another (RFC 9449 10)", async () => {
      const code = await newCode({ dpop_jkt: application.prover.thumbprint });
      await Promise.all([application.renewNonce(), thief.renewNonce()]);
      expect(await thief.exchange(code)).toMatchObject(INVALID_GRANT);
      expect(await application.application.exchange(code)).toMatchObject(INVALID_GRANT);
      expect(await application.exchange(code)).toMatchObject({ status: 200 });
      expect(await thief.exchange(code)).toMatchObject(INVALID_GRANT);
    });

    it("is bound by the proof of a pushed request, which must be that of dpop_jkt (RFC 9449 10.1)", async () => {
      await application.renewNonce();
      const { redirectUri, codeChallenge, client } = application.application;
      const request = { response_type: "code", client_id: client.uuid, redirect_uri: redirectUri };
      const pushed = { ...request, code_challenge: codeChallenge, code_challenge_method: "S256" };
      const other = await application.push({ ...pushed, dpop_jkt: thief.prover.thumbprint });
      expect(other).toMatchObject({ status: 400, error: "invalid_request" });
      expect(await application.push(pushed, { claims: { nonce: undefined } })).toMatchObject({
        error: "use_dpop_nonce",
      });
      expect(await application.push(pushed, { claims: { htu: "https://auth.example/oauth/token" } })).toMatchObject(
        INVALID_PROOF,
      );
      const { status, body } = await application.push(pushed);
      expect(status).toBe(201);
      const shown = await user.browser.open(
        `/oauth/authorize?${queryOf({ client_id: client.uuid, request_uri: String(body["request_uri"]) })}`,
      );
      const code = answerOf(shown.leftTo === undefined ? await allow(user.browser, shown) : shown).get("code") ?? "";
      await thief.renewNonce();
      expect(await thief.exchange(code)).toMatchObject(INVALID_GRANT);
      expect(await application.application.exchange(code)).toMatchObject(INVALID_GRANT);
      expect(await application.exchange(code)).toMatchObject({ status: 200 });
    });

    it("is bound by the dpop_jkt of a pushed request without a proof, whatever the browser's address has (RFC 9449 10.1)", async () => {
      const own = application.application;
      const sent = { ...own.authorizeParameters(), dpop_jkt: application.prover.thumbprint };
      const { body } = await own.post("/oauth/par", queryOf(sent));
      const address = { client_id: own.client.uuid, request_uri: String(body["request_uri"]) };
      const shown = await user.browser.open(
        `/oauth/authorize?${queryOf({ ...address, dpop_jkt: thief.prover.thumbprint })}`,
      );
      const code = answerOf(shown.leftTo === undefined ? await allow(user.browser, shown) : shown).get("code") ?? "";
      await Promise.all([application.renewNonce(), thief.renewNonce()]);
      expect(await thief.exchange(code)).toMatchObject(INVALID_GRANT);
      expect(await application.exchange(code)).toMatchObject({ status: 200 });
    });

    it("and a dpop_jkt that can't be one is refused (RFC 9449 10)", async () => {
      for (const jkt of ["key", "a".repeat(44), `${"a".repeat(42)}b`, ["A".repeat(43), "A".repeat(43)]]) {
        const shown = await application.application.authorize(user.browser, { dpop_jkt: jkt });
        expect(shown.leftTo ?? shown.html).toContain("invalid_request");
      }
    });
  });

  describe("a stolen access token", () => {
    let accessToken: string;
    beforeAll(async () => {
      ({ accessToken } = await newTokens());
    });

    it("is refused as Bearer, with a challenge that names DPoP and its algorithms (RFC 9449 7.2)", async () => {
      const answer = await application.application.userInfo(accessToken);
      expect(answer).toMatchObject({ status: 401, error: "invalid_token" });
      expect(answer.headers.get("www-authenticate")).toMatch(/^DPoP .*error="invalid_token".*algs="ES256 /);
    });

    it("is refused as Bearer with a proof, too (RFC 9449 7.2)", async () => {
      const dpop = await application.accessProof(accessToken, "GET", "/oauth/userinfo");
      const answer = await application.userInfoWith({ authorization: `Bearer ${accessToken}`, dpop });
      expect(answer).toMatchObject({ status: 401, error: "invalid_token" });
    });

    it("is refused with a proof of another key (RFC 9449 4.3, check 12)", async () => {
      await thief.renewNonce();
      expect(await thief.userInfo(accessToken)).toMatchObject({ status: 401, error: "invalid_token" });
    });

    it.each<[string, ProofChanges, string]>([
      ["for another token", { claims: { ath: "a".repeat(43) } }, "invalid_dpop_proof"],
      ["for no token", { claims: { ath: undefined } }, "invalid_dpop_proof"],
      ["for another method", { claims: { htm: "POST" } }, "invalid_dpop_proof"],
      ["for the token endpoint", { claims: { htu: "https://auth.example/oauth/token" } }, "invalid_dpop_proof"],
      ["without a nonce", { claims: { nonce: undefined } }, "use_dpop_nonce"],
    ])("is refused with a proof %s (RFC 9449 4.3, 7.1 and 9)", async (_, changes, error) => {
      await application.renewNonce();
      const answer = await application.userInfo(accessToken, changes);
      expect(answer).toMatchObject({ status: 401, error });
      expect(answer.headers.get("www-authenticate")).toContain(`DPoP realm="tidemark", error="${error}"`);
      expect(answer.headers.get("dpop-nonce")).toMatch(/^[A-Za-z0-9_-]{43}$/);
    });

    it("is refused without a proof (RFC 9449 7.1)", async () => {
      const answer = await application.userInfoWith({ authorization: `DPoP ${accessToken}` });
      expect(answer).toMatchObject({ status: 401, error: "invalid_dpop_proof" });
    });

    it("is refused in two schemes at once (RFC 9449 7.2)", async () => {
      const dpop = await application.accessProof(accessToken, "GET", "/oauth/userinfo");
      const headers = new Headers({ dpop });
      headers.append("authorization", `Bearer ${accessToken}`);
      headers.append("authorization", `DPoP ${accessToken}`);
      expect((await application.userInfoWith(headers)).status).toBeOneOf([400, 401]);
    });

    it("is refused with a proof that was used, to whichever process it was sent (RFC 9449 11.1)", async () => {
      await application.renewNonce();
      const dpop = await application.accessProof(accessToken, "GET", "/oauth/userinfo");
      const call = () => application.userInfoWith({ authorization: `DPoP ${accessToken}`, dpop });
      const statuses = (await Promise.all(Array.from({ length: AT_ONCE }, call))).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([200, ...Array(AT_ONCE - 1).fill(401)]);
      expect(await call()).toMatchObject({ status: 401, error: "invalid_dpop_proof" });
    });

    it("that isn't bound is refused as DPoP (RFC 9449 7.1)", async () => {
      const unbound = await application.application.tokens(user.browser);
      await application.renewNonce();
      expect(await application.userInfo(unbound.accessToken)).toMatchObject({ status: 401, error: "invalid_token" });
      expect(await application.application.userInfo(unbound.accessToken)).toMatchObject({ status: 200 });
    });

    it("is missing: the answer offers both schemes and names no error (RFC 9449 7.1)", async () => {
      const answer = await application.userInfoWith({});
      expect(answer.headers.get("www-authenticate")).toMatch(
        /^Bearer realm="tidemark", DPoP realm="tidemark", algs="ES256/,
      );
    });
  });

  describe("an application that demands DPoP", () => {
    let strict: DpopApplication;
    beforeAll(async () => {
      const definition = sampleDefinition({ security: { ...DEFAULT_SECURITY, dpopBoundAccessTokens: true } });
      strict = await DpopApplication.create(web(), await web().application({ definition }));
    });

    it("gets no bearer tokens from the token endpoint (RFC 9449 5.2)", async () => {
      const code = await strict.application.code(user.browser);
      const refused = await strict.application.exchange(code);
      expect(refused).toMatchObject({ status: 400, error: "invalid_request" });
      expect(await strict.exchange(code)).toMatchObject({ status: 200, body: { token_type: "DPoP" } });
    });

    it("can't use bearer tokens that it got before, and refreshes with a proof (RFC 9449 5.2)", async () => {
      const { service } = web();
      const own = await DpopApplication.create(web(), await web().application());
      const { accessToken, refreshToken } = await own.application.tokens(user.browser);
      const definition = sampleDefinition({ security: { ...DEFAULT_SECURITY, dpopBoundAccessTokens: true } });
      const demanding = { ...own.application.client, definition };
      await service.database.write((transaction) => updateClient(transaction, demanding));
      const answer = await own.application.userInfo(accessToken);
      expect(answer).toMatchObject({ status: 401, error: "invalid_token" });
      expect(answer.headers.get("www-authenticate")).toMatch(/^DPoP /);
      const { authorization } = service.as("resource-server");
      expect(await authorization.introspectToken({ accessToken })).toMatchObject({ active: false });
      expect(await own.application.refresh(refreshToken)).toMatchObject({ status: 400, error: "invalid_request" });
      const bound = tokensIn(await own.refresh(refreshToken));
      expect(await own.userInfo(bound.accessToken)).toMatchObject({ status: 200 });
      expect(await authorization.introspectToken({ accessToken: bound.accessToken })).toMatchObject({
        active: true,
        keyThumbprint: own.prover.thumbprint,
      });
    });

    it("gets none from the paths of existing clients either, with or without a proof (RFC 9449 5.2)", async () => {
      const code = await strict.application.code(user.browser);
      const body = {
        code,
        code_verifier: strict.application.codeVerifier,
        redirect_uri: strict.application.redirectUri,
      };
      const call = (headers = {}) =>
        strict.application.post("/oauth.ExchangeAuthorizationCodeV2", JSON.stringify(body), {
          "content-type": "application/json",
          ...headers,
        });
      const details = (error: string) => ({ status: 400, body: { code: "invalid_argument", details: { error } } });
      expect(await call()).toMatchObject(details("unauthorized_client"));
      const dpop = await strict.proof("POST", "/oauth.ExchangeAuthorizationCodeV2");
      expect(await call({ dpop })).toMatchObject(details("invalid_dpop_proof"));
      const { refreshToken } = tokensIn(await strict.exchange(code));
      const refresh = JSON.stringify({ refresh_token: refreshToken });
      const refreshed = await strict.application.post("/oauth.RefreshAccessToken", refresh, {
        "content-type": "application/json",
      });
      expect(refreshed).toMatchObject(details("unauthorized_client"));
    });
  });

  it("takes proofs with every advertised algorithm (RFC 9449 5.1)", async () => {
    const metadata = await (await fetch(`${web().origin}/.well-known/oauth-authorization-server`)).json();
    const algorithms = metadata.dpop_signing_alg_values_supported;
    expect(algorithms).toEqual(["ES256", "RS256", "PS256", "EdDSA", "Ed25519"]);
    for (const algorithm of algorithms) {
      const own = new DpopApplication(web(), application.application, await testProver(algorithm));
      const { accessToken } = tokensIn(await own.exchange(await newCode()));
      expect(await own.userInfo(accessToken)).toMatchObject({ status: 200 });
    }
  });
});

/** Replaces header parameters without signing again. */
function withHeader(proof: string, changed: object): string {
  if (Object.keys(changed).length === 0) return proof;
  const [first = "", ...rest] = proof.split(".");
  const header = { ...JSON.parse(Buffer.from(first, "base64url").toString()), ...changed };
  return [Buffer.from(JSON.stringify(header)).toString("base64url"), ...rest].join(".");
}
