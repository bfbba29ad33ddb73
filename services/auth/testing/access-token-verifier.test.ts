import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { type JwksSource, urlJwks } from "../../../common/platform/jwt/jwks-source.ts";
import { ISSUER, NOW_S, type TestIssuer, testIssuer } from "../../../common/platform/testing/test-issuer.ts";
import { testProver, tokenHash } from "../../../common/platform/testing/test-prover.ts";
import { AccessTokenVerifier, type AccessTokenVerifierOptions, type IssuedFor } from "./access-token-verifier.ts";
import type { RememberProof } from "./token-presentation.ts";

const AUDIENCE = "https://api.example";
const OTHER = "aaaaaaaa-3333-4333-8333-333333333333";
const claims = {
  aud: AUDIENCE,
  sub: "pairwise",
  client_id: "22222222-2222-4222-8222-222222222222",
  sale_uuid: "11111111-1111-4111-8111-111111111111",
  tenancy: "live",
  scope: "read_entities contact_email",
  jti: "a.b",
};

const RULES = {
  issuer: ISSUER,
  audience: AUDIENCE,
  issuedFor: { saleUuid: claims.sale_uuid },
  tenancy: "live",
  now: () => NOW_S * 1_000,
} as const;

async function given(source?: JwksSource, rules: Partial<AccessTokenVerifierOptions> = {}) {
  const issuer = await testIssuer("at+jwt");
  const verifier = new AccessTokenVerifier({ jwks: source ?? issuer.jwks, ...RULES, ...rules });
  return { issuer, verifier };
}

describe("AccessTokenVerifier", () => {
  it("returns the claims of a valid token", async () => {
    const { issuer, verifier } = await given();
    expect(await verifier.verify(`Bearer ${await issuer.sign(claims)}`, ["read_entities"])).toEqual({
      subject: "pairwise",
      clientUuid: claims.client_id,
      saleUuid: claims.sale_uuid,
      tenancy: "live",
      scopes: ["read_entities", "contact_email"],
      tokenId: "a.b",
      expiresAtMs: BigInt(NOW_S + 120) * 1_000n,
    });
  });

  it.each([undefined, "", "Bearer", "Bearer ", "Bearer a b", "Basic AAAA", "Bearer a.b.c.d"])(
    "refuses the header %j",
    async (header) => {
      const { verifier } = await given();
      await expect(verifier.verify(header, [])).rejects.toMatchObject({ code: "unauthenticated" });
    },
  );

  it.each<[string, object, object]>([
    ["that is an actor token", {}, { typ: "tidemark-actor+jwt" }],
    ["for another audience", { aud: "https://other.example" }, {}],
    ["of another issuer", { iss: "https://evil.example" }, {}],
    ["that has expired", { exp: NOW_S - 6 }, {}],
    ["without a client", { client_id: undefined }, {}],
    ["of a client that is no UUID", { client_id: "me" }, {}],
    ["without a sale", { sale_uuid: undefined }, {}],
    ["of another sale", { sale_uuid: claims.client_id }, {}],
    ["of a test sale", { tenancy: "test" }, {}],
    ["without a tenancy", { tenancy: undefined }, {}],
    ["of a tenancy that doesn't exist", { tenancy: "Live" }, {}],
    ["without scopes", { scope: undefined }, {}],
    ["with scopes that are a list", { scope: ["read_entities"] }, {}],
    ["without an ID", { jti: undefined }, {}],
  ])("refuses a token %s", async (_, changed, header) => {
    const { issuer, verifier } = await given();
    const token = await issuer.sign({ ...claims, ...changed }, { ...header });
    await expect(verifier.verify(`Bearer ${token}`, [])).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it.each<[string, IssuedFor, object, boolean]>([
    ["its application", { clientUuid: claims.client_id }, {}, true],
    ["its application, in upper case", { clientUuid: OTHER.toUpperCase() }, { client_id: OTHER }, true],
    ["another application of the sale", { clientUuid: claims.client_id }, { client_id: OTHER }, false],
    ["any sale", "any sale", { sale_uuid: OTHER }, true],
    ["any sale, but only real ones", "any sale", { tenancy: "test" }, false],
  ])("decides about a token of %s", async (_, issuedFor, changed, isAccepted) => {
    const { issuer, verifier } = await given(undefined, { issuedFor });
    const header = `Bearer ${await issuer.sign({ ...claims, ...changed })}`;
    const code = await verifier.verify(header, []).then(
      () => "accepted",
      (error) => error.code,
    );
    expect(code).toBe(isAccepted ? "accepted" : "unauthenticated");
  });

  it("requires every scope, as a whole word", async () => {
    const { issuer, verifier } = await given();
    const verify = async (...scopes: string[]) => verifier.verify(`Bearer ${await issuer.sign(claims)}`, scopes);
    await expect(verify("read_entities", "contact_email")).resolves.toBeDefined();
    for (const scopes of [["read"], ["read_entities", "sale_eligibility_check"], [""]]) {
      await expect(verify(...scopes)).rejects.toMatchObject({ code: "permission_denied" });
    }
  });

  it("is unavailable if the keys can't be loaded", async () => {
    const { issuer, verifier } = await given(() => Promise.reject(new Error("away")));
    const header = `Bearer ${await issuer.sign(claims)}`;
    await expect(verifier.verify(header, [])).rejects.toMatchObject({ code: "unavailable" });
  });
});

describe("a token that is bound to a key (RFC 9449 7)", () => {
  const REQUEST = { method: "GET", uri: "https://api.example/entities" };

  async function bound() {
    const prover = await testProver();
    const remembered: string[] = [];
    const rememberProof: RememberProof = async ({ keyThumbprint, proofId, expiresAtMs }) => {
      expect([keyThumbprint, expiresAtMs]).toEqual([prover.thumbprint, NOW_S * 1_000 + 600_000]);
      return remembered.push(proofId) === 1;
    };
    const { issuer, verifier } = await given(undefined, { rememberProof });
    const token = await issuer.sign({ ...claims, cnf: { jkt: prover.thumbprint } });
    const proof = { htm: "GET", htu: REQUEST.uri, iat: NOW_S, ath: tokenHash(token) };
    const verify = (dpop: string | undefined, scheme = "DPoP") =>
      verifier.verify(`${scheme} ${token}`, [], { ...REQUEST, dpop });
    return { prover, issuer, verifier, token, proof, verify };
  }

  it("is accepted with a proof, once", async () => {
    const { prover, proof, verify } = await bound();
    const dpop = await prover.prove(proof);
    expect(await verify(dpop)).toMatchObject({ subject: "pairwise", keyThumbprint: prover.thumbprint });
    await expect(verify(dpop)).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it("is refused as Bearer, without a proof, and with a proof of another key or request", async () => {
    const { prover, proof, verify } = await bound();
    const other = await testProver();
    await expect(verify(await prover.prove(proof), "Bearer")).rejects.toMatchObject({ code: "unauthenticated" });
    const proofs = [
      undefined,
      await other.prove(proof),
      await prover.prove({ ...proof, htm: "POST" }),
      await prover.prove({ ...proof, ath: "a" }),
    ];
    for (const dpop of proofs) await expect(verify(dpop)).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it("is refused by a service that knows no proofs, and where it is bound to anything else", async () => {
    const { issuer, verifier } = await given();
    for (const cnf of [{ jkt: "key" }, { jkt: "" }, { "x5t#S256": "certificate" }, "key", null]) {
      const header = `Bearer ${await issuer.sign({ ...claims, cnf })}`;
      await expect(verifier.verify(header, [])).rejects.toMatchObject({ code: "unauthenticated" });
    }
  });

  it("that isn't bound is refused as DPoP", async () => {
    const { issuer, verifier } = await given();
    const header = `DPoP ${await issuer.sign(claims)}`;
    await expect(verifier.verify(header, [])).rejects.toMatchObject({ code: "unauthenticated" });
  });
});

describe("a service that takes access tokens", () => {
  it("answers the calls that are granted, and refuses the others as RFC 6750 says", async () => {
    const issuer = await testIssuer("at+jwt");
    const url = await startEntityService(issuer);
    const answer = async (token: string) => {
      const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
      return [response.status, response.headers.get("www-authenticate"), await response.text()];
    };
    expect(await answer(await issuer.sign(claims))).toEqual([200, null, "entities of pairwise"]);
    expect(await answer("forged")).toEqual([401, 'Bearer error="invalid_token"', ""]);
    const unscoped = await issuer.sign({ ...claims, scope: "contact_email" });
    expect(await answer(unscoped)).toEqual([403, 'Bearer error="insufficient_scope"', ""]);
  });
});

/** A resource server like those of a deployment: one route that requires a scope, and keys from a URL. */
async function startEntityService(issuer: TestIssuer): Promise<string> {
  const jwksUrl = await serve(async () => ({ status: 200, body: JSON.stringify(await issuer.jwks()) }));
  const jwks = urlJwks(jwksUrl);
  const tokens = new AccessTokenVerifier({ jwks, ...RULES });
  return serve(async (authorization) => {
    try {
      const { subject } = await tokens.verify(authorization, ["read_entities"]);
      return { status: 200, body: `entities of ${subject}` };
    } catch (error) {
      return refusal(error);
    }
  });
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function refusal(error: unknown): Answer {
  if (!(error instanceof ServiceError)) return { status: 500, body: "" };
  const [status, name] = error.code === "permission_denied" ? [403, "insufficient_scope"] : [401, "invalid_token"];
  return { status, headers: { "www-authenticate": `Bearer error="${name}"` }, body: "" };
}

async function serve(answer: (authorization: string | undefined) => Promise<Answer>): Promise<string> {
  const server = createServer(async ({ headers }, response) => {
    const { status, body, headers: own = {} } = await answer(headers.authorization);
    response.writeHead(status, own).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
