import { describe, expect, it } from "vitest";
import { CONSENT_WORDS_VERSION } from "../consents/consent.ts";
import { decideAuthorization, judgeSession } from "./authorization-decision.ts";

const requested = [{ scope: "read", required: true }];
const CONSENTED = { granted: ["read"], declined: [], wordsVersion: CONSENT_WORDS_VERSION };
const PAGE = { kind: "consent", scopes: [{ scope: "read", required: true, granted: true }] };
const GRANT = { kind: "grant", scopes: ["read"] };

describe("decideAuthorization", () => {
  it.each([
    ["https://app.example/cb", [], GRANT],
    ["https://app.example/cb", ["login"], GRANT],
    ["https://app.example/cb", ["select_account"], GRANT],
    ["https://app.example/cb", ["consent"], PAGE],
    ["https://app.example/cb", ["login", "consent"], PAGE],
    ["http://127.0.0.1:7000/cb", [], PAGE],
    ["http://[::1]/cb", [], PAGE],
    ["http://localhost:3000/cb", [], PAGE],
    ["https://localhost/cb", [], PAGE],
    ["https://localhost.example/cb", [], GRANT],
  ] as const)("with earlier consent, to %s with prompt %j", (redirectUri, prompts, decision) => {
    expect(decideAuthorization({ redirectUri, prompts, scopes: [] }, requested, CONSENTED)).toEqual(decision);
  });

  it("asks a user who has decided nothing yet", () => {
    const request = { redirectUri: "https://app.example/cb", prompts: [], scopes: [] } as const;
    expect(decideAuthorization(request, requested, { ...CONSENTED, granted: [] })).toEqual(PAGE);
  });

  it.each([
    [0, PAGE],
    [CONSENT_WORDS_VERSION - 1, PAGE],
    [CONSENT_WORDS_VERSION, GRANT],
    [CONSENT_WORDS_VERSION + 1, GRANT],
  ])("asks again where the consent was given to older words, which said less: version %i", (wordsVersion, decision) => {
    const request = { redirectUri: "https://app.example/cb", prompts: [], scopes: [] } as const;
    expect(decideAuthorization(request, requested, { ...CONSENTED, wordsVersion })).toEqual(decision);
  });
});

describe("judgeSession", () => {
  const BEGUN = 100_000n;
  const NOW = 160_000n;
  const RULES = { prompts: [], maxAgeSeconds: undefined, hintedSubject: undefined, createdAtMs: BEGUN } as const;
  const judge = (
    rules: Partial<Parameters<typeof judgeSession>[0]>,
    authenticatedAtMs: bigint,
    { subject, chosen = false }: { readonly subject?: string; readonly chosen?: boolean } = {},
  ) => judgeSession({ ...RULES, ...rules }, { session: { authenticatedAtMs }, subject, chosen }, NOW);

  it.each([
    ["no prompt", [], 99_999n, "fit"],
    ["consent", ["consent"], 99_999n, "fit"],
    ["login, signed in before", ["login"], 99_999n, "sign_in"],
    ["login, signed in for it", ["login"], BEGUN, "fit"],
    ["login, signed in after", ["login"], 100_001n, "fit"],
    ["login and consent", ["login", "consent"], 99_999n, "sign_in"],
    ["select_account", ["select_account"], 99_999n, "choose_account"],
    ["select_account, signed in for it", ["select_account"], BEGUN, "fit"],
    ["select_account and login", ["login", "select_account"], 99_999n, "sign_in"],
  ] as const)("prompt: %s", (_, prompts, authenticatedAtMs, verdict) => {
    expect(judge({ prompts }, authenticatedAtMs)).toBe(verdict);
  });

  it.each([
    [60, 99_999n, "sign_in"],
    [61, 99_000n, "fit"],
    [60, BEGUN, "fit"],
    [0, 99_999n, "sign_in"],
    [0, BEGUN, "fit"],
    [1, BEGUN, "fit"],
    [999_999_999, 0n, "fit"],
  ] as const)("max_age of %i s, signed in at %s: %s", (maxAgeSeconds, authenticatedAtMs, verdict) => {
    expect(judge({ maxAgeSeconds }, authenticatedAtMs)).toBe(verdict);
  });

  it("lets a user go on who has chosen the account, but not with a sign-in that is too old", () => {
    const prompts = ["select_account"] as const;
    expect(judge({ prompts }, 99_999n, { chosen: true })).toBe("fit");
    expect(judge({ prompts, maxAgeSeconds: 0 }, 99_999n, { chosen: true })).toBe("sign_in");
  });

  it("wants the user that id_token_hint names, and ends the request where another one signs in for it", () => {
    const named = { hintedSubject: "somebody" };
    expect(judge(named, 99_999n, { subject: "somebody" })).toBe("fit");
    expect(judge(named, 99_999n, { subject: "another" })).toBe("sign_in");
    expect(judge(named, 99_999n)).toBe("sign_in");
    expect(judge(named, BEGUN, { subject: "another", chosen: true })).toBe("wrong_user");
  });
});
