import { describe, expect, it } from "vitest";
import { type ProofClaims, testProver, tokenHash } from "../../../common/platform/testing/test-prover.ts";
import { type ProofRules, verifyProof } from "./dpop-proof.ts";

const NOW_S = Date.UTC(2026, 0, 31, 12) / 1_000;
const URI = "https://auth.example/oauth/token";
const NONCE = "nonce";
const RULES: ProofRules = {
  method: "POST",
  uri: URI,
  age: { isNonce: (nonce) => nonce === NONCE },
};
/** The rules of a server that supplies no nonces. */
const UNSUPPLIED: ProofRules = { ...RULES, age: { nowMs: BigInt(NOW_S) * 1_000n } };
const HOUR_S = 3_600;
const CLAIMS: ProofClaims = { htm: "POST", htu: URI, iat: NOW_S, jti: "one", nonce: NONCE };

const prover = await testProver();
const other = await testProver();

async function errorOf(proof: string | Promise<string>, rules: Partial<ProofRules> = {}): Promise<unknown> {
  const header = await proof;
  try {
    return verifyProof(header, { ...RULES, ...rules });
  } catch (error) {
    return error;
  }
}

const refused = (message: RegExp, code = "invalid_dpop_proof") =>
  expect.objectContaining({ name: "ProofError", code, message: expect.stringMatching(message) });

describe("a valid proof", () => {
  it.each([["ES256"], ["RS256"], ["PS256"], ["EdDSA"], ["Ed25519"]])(
    "is verified, signed with %s",
    async (algorithm) => {
      const { prove, thumbprint } = await testProver(algorithm);
      expect(verifyProof(await prove(CLAIMS), RULES)).toEqual({ keyThumbprint: thumbprint, proofId: "one" });
    },
  );

  it("needs no nonce of a server that supplies none", async () => {
    const proof = await prover.prove({ ...CLAIMS, nonce: undefined });
    expect(verifyProof(proof, UNSUPPLIED)).toMatchObject({ proofId: "one" });
  });

  it("contains the hash of the access token that comes with it", async () => {
    const proof = await prover.prove({ ...CLAIMS, ath: tokenHash("token") });
    expect(verifyProof(proof, { ...RULES, accessToken: "token" })).toMatchObject({ proofId: "one" });
  });
});

// Section 4.3 of RFC 9449, by the numbers of its checks. Check 12 compares the token's key, and is auth's.
describe("RFC 9449 section 4.3", () => {
  it("check 1: there is one header", async () => {
    const proof = await prover.prove(CLAIMS);
    expect(await errorOf(`${proof}, ${proof}`)).toEqual(refused(/exactly one/));
  });

  it.each([
    ["nothing", ""],
    ["a text", "proof"],
    ["two parts", "e30.e30"],
    ["five parts", "e30.e30.e30.e30.e30"],
    ["parts that aren't JSON", "AAAA.AAAA.AAAA"],
    ["a header that is a list", `${base64url([])}.e30.AAAA`],
    ["padding", "e30=.e30=.AA=="],
    ["a text that is too long", `e30.${"A".repeat(8_192)}.AAAA`],
  ])("check 2: the header holds a well-formed JWT, not %s", async (_, proof) => {
    expect(await errorOf(proof)).toEqual(refused(/signed JWT|typ/));
  });

  it.each([["jti"], ["htm"], ["htu"], ["iat"]])("check 3: the claim %s is required", async (name) => {
    expect(await errorOf(prover.prove({ ...CLAIMS, [name]: undefined }))).toEqual(refused(new RegExp(name)));
  });

  it.each([
    ["jti", ""],
    ["jti", 1],
    ["jti", "a".repeat(257)],
    ["htu", 1],
    ["iat", String(NOW_S)],
    ["iat", null],
  ])("check 3: the claim %s isn't %j", async (name, value) => {
    expect(await errorOf(prover.prove({ ...CLAIMS, [name]: value }))).toEqual(refused(new RegExp(name)));
  });

  it.each([["JWT"], ["at+jwt"], ["DPOP+JWT"], [undefined]])("check 4: typ is dpop+jwt, not %j", async (typ) => {
    expect(await errorOf(prover.prove(CLAIMS, { typ }))).toEqual(refused(/typ/));
  });

  it.each([["none"], ["HS256"], ["ES384"], ["es256"], [undefined]])(
    "check 5: alg is an asymmetric one of the list, not %j",
    async (alg) => {
      expect(await errorOf(withHeader(await prover.prove(CLAIMS), { alg }))).toEqual(refused(/alg/));
    },
  );

  it("check 5: alg fits the key", async () => {
    expect(await errorOf(withHeader(await prover.prove(CLAIMS), { alg: "RS256" }))).toEqual(refused(/key for alg/));
  });

  it("check 6: the signature is that of the key", async () => {
    const proof = await prover.prove(CLAIMS);
    expect(await errorOf(withHeader(proof, { jwk: other.publicJwk }))).toEqual(refused(/signature/));
    const [first, , third] = proof.split(".");
    const changed = base64url({ ...CLAIMS, jti: "two" });
    expect(await errorOf(`${first}.${changed}.${third}`)).toEqual(refused(/signature/));
    expect(await errorOf(`${proof.slice(0, -4)}AAAA`)).toEqual(refused(/signature/));
  });

  it.each([["d"], ["p"], ["q"], ["dp"], ["dq"], ["qi"], ["oth"], ["k"]])(
    "check 7: jwk has no private part, such as %s",
    async (name) => {
      const jwk = { ...prover.publicJwk, [name]: "AAAA" };
      expect(await errorOf(prover.prove(CLAIMS, { jwk }))).toEqual(refused(/private/));
    },
  );

  it("check 7: jwk is no symmetric key", async () => {
    const jwk = { kty: "oct", k: "AAAA" };
    expect(await errorOf(prover.prove(CLAIMS, { jwk }))).toEqual(refused(/symmetric/));
  });

  it.each([["GET"], ["post"], ["POST "], [["POST"]]])("check 8: htm is the method, not %j", async (htm) => {
    expect(await errorOf(prover.prove({ ...CLAIMS, htm }))).toEqual(refused(/htm/));
  });

  it.each([
    ["https://auth.example/oauth/revoke"],
    ["https://auth.example/oauth/token/"],
    ["https://auth.example/oauth/Token"],
    ["https://auth.example:8443/oauth/token"],
    ["https://evil.example/oauth/token"],
    ["https://auth.example.evil.example/oauth/token"],
    ["https://me@auth.example/oauth/token"],
    ["https:\\\\auth.example\\oauth\\token"],
    ["http://auth.example/oauth/token"],
    ["/oauth/token"],
  ])("check 9: htu is the URI, not %s", async (htu) => {
    expect(await errorOf(prover.prove({ ...CLAIMS, htu }))).toEqual(refused(/htu/));
  });

  it.each([[undefined], [""], ["old"], [1]])("check 10: the nonce is the server's, not %j", async (nonce) => {
    expect(await errorOf(prover.prove({ ...CLAIMS, nonce }))).toEqual(refused(/nonce/, "use_dpop_nonce"));
  });

  describe.each([0, NOW_S - HOUR_S, NOW_S + HOUR_S, -1.5, 4e15])("check 11: iat %d", (iat) => {
    it("is accepted with the server's nonce, which dates the proof", async () => {
      expect(verifyProof(await prover.prove({ ...CLAIMS, iat }), RULES)).toMatchObject({ proofId: "one" });
    });

    it.each([[undefined], ["old"]])("is answered use_dpop_nonce with the nonce %j", async (nonce) => {
      expect(await errorOf(prover.prove({ ...CLAIMS, iat, nonce }))).toEqual(refused(/nonce/, "use_dpop_nonce"));
    });

    it("is refused by a server that supplies no nonces", async () => {
      expect(await errorOf(prover.prove({ ...CLAIMS, iat }), UNSUPPLIED)).toEqual(refused(/iat/));
    });
  });

  it.each([
    [-301, false],
    [-300, true],
    [300, true],
    [301, false],
  ])("check 11: iat at %i seconds is accepted by a server that supplies no nonces: %s", async (seconds, isAccepted) => {
    const outcome = await errorOf(prover.prove({ ...CLAIMS, iat: NOW_S + seconds }), UNSUPPLIED);
    expect(outcome).toEqual(isAccepted ? expect.objectContaining({ proofId: "one" }) : refused(/iat/));
  });

  it.each([[undefined], [tokenHash("another")], ["token"]])("check 12: ath is the hash, not %j", async (ath) => {
    expect(await errorOf(prover.prove({ ...CLAIMS, ath }), { accessToken: "token" })).toEqual(refused(/ath/));
  });

  it("refuses extensions that it doesn't know (RFC 7515 section 4.1.11)", async () => {
    const proof = withHeader(await prover.prove(CLAIMS), { crit: ["b64"], b64: false });
    expect(await errorOf(proof)).toEqual(refused(/crit/));
  });
});

describe("the key of a proof", () => {
  it.each<[string, string, object, RegExp]>([
    ["a point that isn't on the curve", "ES256", { x: base64url32(1) }, /no valid key/],
    ["a coordinate that is short", "ES256", { x: "AAAA" }, /32 bytes/],
    ["a coordinate that is no text", "ES256", { x: 1 }, /base64url/],
    ["another curve", "ES256", { crv: "P-384" }, /key for alg/],
    ["a coordinate with padding", "ES256", { x: `${base64url32(1)}=` }, /base64url/],
    ["an exponent that makes verifying slow", "RS256", { e: "A".repeat(342) }, /65537/],
    ["a modulus of 1,024 bits", "RS256", { n: Buffer.alloc(128, 7).toString("base64url") }, /2048 to 4096/],
    ["a modulus of 8,192 bits", "RS256", { n: Buffer.alloc(1_024, 7).toString("base64url") }, /2048 to 4096/],
    [
      "a modulus with a zero in front",
      "RS256",
      { n: Buffer.from([0, ...Array(256).fill(7)]).toString("base64url") },
      /2048/,
    ],
    ["another Edwards curve", "EdDSA", { crv: "Ed448" }, /key for alg/],
  ])("is refused with %s", async (_, algorithm, changed, message) => {
    const { publicJwk, prove } = await testProver(algorithm);
    expect(await errorOf(prove(CLAIMS, { jwk: { ...publicJwk, ...changed } }))).toEqual(refused(message));
  });

  it.each([[undefined], [null], ["key"], [[]]])("isn't %j", async (jwk) => {
    expect(await errorOf(prover.prove(CLAIMS, { jwk }))).toEqual(refused(/jwk must be a public key/));
  });
});

/** Replaces header parameters without signing again. */
function withHeader(proof: string, changed: object): string {
  const [first = "", ...rest] = proof.split(".");
  return [base64url({ ...JSON.parse(Buffer.from(first, "base64url").toString()), ...changed }), ...rest].join(".");
}

function base64url(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function base64url32(byte: number): string {
  return Buffer.alloc(32, byte).toString("base64url");
}
