import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type IssuedCode, judgeExchange } from "./code-redemption.ts";
import type { CodeExchange } from "./token-parameters.ts";

const CLIENT = "22222222-2222-4222-8222-222222222222";
const OTHER_CLIENT = "33333333-3333-4333-8333-333333333333";
const VERIFIER = "v".repeat(43);
const CODE: IssuedCode = {
  holder: {
    accountUuid: "a",
    clientUuid: CLIENT,
    saleUuid: "s",
    tenancy: "live",
    subjectSalt: new Uint8Array(32),
    clientIsActive: true,
    clientIsConfidential: false,
    clientDemandsPush: false,
    clientDemandsDpop: false,
    clientIsValid: true,
    idTokenAlgorithm: "RS256",
    clientScopes: [{ scope: "read_entities", required: true }],
    consentedScopes: ["read_entities"],
  },
  familyUuid: "f",
  redirectUri: "https://app.example/cb",
  scopes: ["read_entities"],
  codeChallenge: createHash("sha256").update(VERIFIER).digest("base64url"),
  nonce: undefined,
  keyThumbprint: undefined,
  tokenGeneration: 0n,
  authenticatedAtMs: 0n,
  authenticatedBy: "code",
  idTokenSaysWhen: false,
  expiresAtMs: 1_000n,
  redeemed: false,
};
const EXCHANGE: CodeExchange = {
  grantType: "authorization_code",
  code: "c",
  codeVerifier: VERIFIER,
  clientUuid: CLIENT,
  assertion: undefined,
  clientOptional: false,
  redirectUri: CODE.redirectUri,
};
const REDEEMED = { ...CODE, redeemed: true };
const VOID = { ...CODE, holder: { ...CODE.holder, clientIsValid: false } };

describe("judgeExchange", () => {
  it("redeems a code, also without client and redirect URI", () => {
    expect(judgeExchange(EXCHANGE, CODE, 999n)).toBe("redeem");
    expect(judgeExchange({ ...EXCHANGE, clientUuid: undefined, redirectUri: undefined }, CODE, 999n)).toBe("redeem");
  });

  it("recognises a replay, however late", () => {
    expect(judgeExchange(EXCHANGE, REDEEMED, 1n)).toBe("replay");
    expect(judgeExchange(EXCHANGE, REDEEMED, 10_000n)).toBe("replay");
    expect(judgeExchange(EXCHANGE, { ...VOID, redeemed: true }, 1n)).toBe("replay");
  });

  it.each([
    ["another client", { clientUuid: OTHER_CLIENT }, "code was issued to another client"],
    ["another redirect URI", { redirectUri: "https://app.example/cb/" }, "redirect_uri must be that"],
    ["another verifier", { codeVerifier: "w".repeat(43) }, "code_verifier is not that"],
  ])("refuses %s, and doesn't treat it as a replay", (_, changes, description) => {
    for (const code of [CODE, REDEEMED]) {
      expect(() => judgeExchange({ ...EXCHANGE, ...changes }, code, 1n)).toThrow(`invalid_grant: ${description}`);
    }
  });

  it("refuses a code whose grant no longer has what the client requires", () => {
    for (const change of [
      { consentedScopes: [] },
      { clientScopes: [{ scope: "contact_email", required: true }] },
      { clientScopes: [{ scope: "contact_email", required: false }] },
    ]) {
      const code = { ...CODE, holder: { ...CODE.holder, ...change } };
      expect(() => judgeExchange(EXCHANGE, code, 1n)).toThrow("invalid_grant: the user hasn't granted what");
      expect(judgeExchange(EXCHANGE, { ...code, redeemed: true }, 1n)).toBe("replay");
    }
  });

  it("refuses an expired code, and one whose client is disabled", () => {
    expect(() => judgeExchange(EXCHANGE, CODE, 1_000n)).toThrow("invalid_grant: code is unknown, expired or revoked");
    expect(() => judgeExchange(EXCHANGE, VOID, 1n)).toThrow("invalid_grant: the client is disabled");
  });
});
