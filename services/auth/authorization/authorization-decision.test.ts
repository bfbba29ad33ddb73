import { describe, expect, it } from "vitest";
import { decideAuthorization, isSignedInFor } from "./authorization-decision.ts";
import { CONSENT_WORDS_VERSION } from "./consent.ts";

const requested = [{ scope: "read", required: true }];
const CONSENTED = { granted: ["read"], declined: [], wordsVersion: CONSENT_WORDS_VERSION };
const PAGE = { kind: "consent", scopes: [{ scope: "read", required: true, granted: true }] };
const GRANT = { kind: "grant", scopes: ["read"] };

describe("decideAuthorization", () => {
  it.each([
    ["https://app.example/cb", "", GRANT],
    ["https://app.example/cb", "login", GRANT],
    ["https://app.example/cb", "consent", PAGE],
    ["http://127.0.0.1:7000/cb", "", PAGE],
    ["http://[::1]/cb", "", PAGE],
    ["http://localhost:3000/cb", "", PAGE],
    ["https://localhost/cb", "", PAGE],
    ["https://localhost.example/cb", "", GRANT],
  ] as const)("with earlier consent, to %s with prompt %j", (redirectUri, prompt, decision) => {
    expect(decideAuthorization({ redirectUri, prompt }, requested, CONSENTED)).toEqual(decision);
  });

  it("asks a user who has decided nothing yet", () => {
    const request = { redirectUri: "https://app.example/cb", prompt: "" } as const;
    expect(decideAuthorization(request, requested, { ...CONSENTED, granted: [] })).toEqual(PAGE);
  });

  it.each([
    [0, PAGE],
    [CONSENT_WORDS_VERSION - 1, PAGE],
    [CONSENT_WORDS_VERSION, GRANT],
    [CONSENT_WORDS_VERSION + 1, GRANT],
  ])("asks again where the consent was given to older words, which said less: version %i", (wordsVersion, decision) => {
    const request = { redirectUri: "https://app.example/cb", prompt: "" } as const;
    expect(decideAuthorization(request, requested, { ...CONSENTED, wordsVersion })).toEqual(decision);
  });
});

describe("isSignedInFor", () => {
  it.each([
    ["", 99n, true],
    ["consent", 99n, true],
    ["login", 99n, false],
    ["login", 100n, true],
    ["login", 101n, true],
  ] as const)("prompt %j, begun at 100, signed in at %s: %s", (prompt, authenticatedAtMs, expected) => {
    expect(isSignedInFor({ prompt, createdAtMs: 100n }, { authenticatedAtMs })).toBe(expected);
  });
});
