import { randomUUID } from "node:crypto";
import { Code } from "@connectrpc/connect";
import { decodeJwt } from "jose";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import {
  type ProofClaims,
  type TestProver,
  testProver,
  tokenHash,
} from "../../../common/platform/testing/test-prover.ts";
import { type Application, errorIn, parametersOf, type SentParameters, tokensIn } from "../testing/application.ts";
import { clientKeyPair, signedAssertion } from "../testing/assertions.ts";
import { type AuthorizationClient, authorizationClient } from "../testing/authorization-client.ts";
import { sampleDefinition, sampleSecurity } from "../testing/sample-application.ts";
import { openWatchedDatabase, type WatchedDatabase } from "../testing/watched-database.ts";

const TOKEN_URI = "https://auth.example/oauth/token";
const USERINFO_URI = "https://auth.example/oauth/userinfo";

describe("tokens that are bound to a key", () => {
  let prover: TestProver;
  let other: TestProver;
  let database: WatchedDatabase;
  let auth: AuthorizationClient;
  let session: string;
  let refused: string | undefined;
  beforeAll(async () => {
    [prover, other] = [await testProver(), await testProver()];
  });
  beforeEach(async () => {
    refused = undefined;
    database = await openWatchedDatabase();
    const take = async (limit: string) => {
      if (limit === refused) throw new ServiceError("resource_exhausted", "too many", { retryAfterSeconds: 7 });
    };
    auth = await authorizationClient({ database, rateLimits: { take } });
    session = await auth.signIn();
  });

  const proofOf = async (key: TestProver, changes: Partial<ProofClaims> = {}, requestId: string = randomUUID()) => {
    const { nonce } = await auth.authorization.getDpopNonce({});
    const iat = Number(auth.context.clock() / 1_000n);
    const claims = { htm: "POST", htu: TOKEN_URI, iat, nonce, ...changes };
    return { proof: await key.prove(claims), method: "POST", uri: String(claims.htu), requestId };
  };
  const accessProof = (accessToken: string, key = prover) =>
    proofOf(key, { htu: USERINFO_URI, ath: tokenHash(accessToken) });
  const issue = async (sent: SentParameters, dpop: Awaited<ReturnType<typeof proofOf>>) =>
    (await auth.authorization.issueTokens({ parameters: parametersOf(sent), dpop })).result;
  const exchange = async (application: Application, dpop: Awaited<ReturnType<typeof proofOf>>, sent = {}) => {
    const { code, codeVerifier } = await application.code(session);
    return issue({ grant_type: "authorization_code", code, code_verifier: codeVerifier, ...sent }, dpop);
  };
  const refresh = async (application: Application, refreshToken: string, key: TestProver, sent = {}) => {
    const parameters = { grant_type: "refresh_token", refresh_token: refreshToken, client_id: application.client.uuid };
    return issue({ ...parameters, ...sent }, await proofOf(key));
  };
  const statementsOf = async (work: () => Promise<unknown>) => {
    const before = database.statements;
    await work();
    return database.statements - before;
  };
  const storedProofs = async () => (await database.query.selectFrom("used_jwt_id").selectAll().execute()).length;

  it("cost one statement for each use of a proof", async () => {
    const application = await auth.application();
    const { code, codeVerifier } = await application.code(session);
    const plain = await statementsOf(() => application.exchange({ code, codeVerifier }));
    const dpop = await proofOf(prover);
    const again = await application.code(session);
    const sent = { grant_type: "authorization_code", code: again.code, code_verifier: again.codeVerifier };
    expect(await statementsOf(() => issue(sent, dpop))).toBe(plain + 1);
    const { accessToken } = tokensIn(await exchange(application, await proofOf(prover)));
    const proof = await accessProof(accessToken);
    expect(await statementsOf(() => auth.authorization.getUserInfo({ accessToken, dpop: proof }))).toBe(2);
  });

  it("store nothing for a proof that is refused, or that comes with nothing valid", async () => {
    const application = await auth.application();
    const { accessToken } = tokensIn(await exchange(application, await proofOf(prover)));
    const before = await storedProofs();
    const userInfo = async (token: string, dpop: Awaited<ReturnType<typeof proofOf>>) =>
      (await auth.authorization.getUserInfo({ accessToken: token, dpop })).result.case;
    expect(await userInfo("a.b.c", await accessProof("a.b.c"))).toBe("error");
    expect(await userInfo(accessToken, await accessProof(accessToken, other))).toBe("error");
    expect(await userInfo(accessToken, await proofOf(prover))).toBe("error");
    expect(
      errorIn(
        await issue(
          { grant_type: "authorization_code", code: "c", code_verifier: "v".repeat(43) },
          await proofOf(prover),
        ),
      ),
    ).toBe("invalid_grant");
    expect(await storedProofs()).toBe(before);
  });

  it("are limited in number, each by itself where several are checked", async () => {
    const application = await auth.application();
    const { accessToken } = tokensIn(await exchange(application, await proofOf(prover)));
    const bearer = (await application.tokens(session)).accessToken;
    const before = await storedProofs();
    refused = "proof_account";
    const call = auth.authorization.getUserInfo({ accessToken, dpop: await accessProof(accessToken) });
    await expect(call).rejects.toMatchObject({ code: Code.ResourceExhausted });
    const proofs = [{ dpop: await accessProof(accessToken) }, {}, {}];
    const accessTokens = [accessToken, bearer, accessToken];
    const { checks } = await auth.authorization.checkAccess({ accessTokens, proofs });
    expect(checks).toMatchObject([
      { failure: { code: Code.ResourceExhausted, retryAfterSeconds: 7 } },
      { access: { email: "user@example.com", keyThumbprint: "" } },
      { refusal: { error: "invalid_token" } },
    ]);
    expect(await storedProofs()).toBe(before);
  });

  it("take a repeated call for the same request for the same use, and no other call", async () => {
    const application = await auth.application();
    const { accessToken } = tokensIn(await exchange(application, await proofOf(prover)));
    const dpop = await accessProof(accessToken);
    const check = async (requestId: string) =>
      (
        await auth.authorization.checkAccess({
          accessTokens: [accessToken],
          proofs: [{ dpop: { ...dpop, requestId } }],
        })
      ).checks[0];
    expect(await check(dpop.requestId)).toMatchObject({ access: { keyThumbprint: prover.thumbprint } });
    expect(await check(dpop.requestId)).toMatchObject({ access: { keyThumbprint: prover.thumbprint } });
    expect(await check(randomUUID())).toMatchObject({ refusal: { error: "invalid_dpop_proof" } });
  });

  it("of a confidential client have an own key each; its refresh tokens are bound to the client (RFC 9449 5)", async () => {
    const pair = await clientKeyPair();
    const security = sampleSecurity({ tokenEndpointAuthMethod: "private_key_jwt", jwks: [pair.publicJwk] });
    const application = await auth.application({ definition: sampleDefinition({ security }) });
    const asserted = async () => ({
      client_id: application.client.uuid,
      client_assertion: await signedAssertion(pair, application.client.uuid, auth.context.clock()),
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    });
    const first = tokensIn(await exchange(application, await proofOf(prover), await asserted()));
    const second = tokensIn(await refresh(application, first.refreshToken, other, await asserted()));
    const keys = [first, second].map(({ accessToken }) => decodeJwt(accessToken)["cnf"]);
    expect(keys).toEqual([{ jkt: prover.thumbprint }, { jkt: other.thumbprint }]);
    expect(errorIn(await refresh(application, second.refreshToken, prover))).toBe("invalid_client");
    const bearer = tokensIn(await application.refresh(second.refreshToken, await asserted()));
    expect([bearer.tokenType, decodeJwt(bearer.accessToken)["cnf"]]).toEqual(["Bearer", undefined]);
  });
});
