import { describe, expect, it } from "vitest";
import { BID_FINALITY_MS } from "../base/lifetimes.ts";
import { GROUP_UUID, sampleRules, sampleSale } from "../testing/sample-rules.ts";
import type { SaleWallet } from "../wallets/binding.ts";
import type { SubjectFacts } from "./decide.ts";
import { decideSubject, NO_ANSWERS, type OutsideAnswers } from "./decide.ts";

const NOW_MS = 10_000n;
const WALLET = { kind: "evm", bytes: new Uint8Array(20).fill(1) } as const;
const RULES = sampleRules().wallets;
const SCREENED = { ...RULES, screenerUrl: "https://screener.example" };
const FOREIGN: SaleWallet = {
  ...{ wallet: WALLET, entityUuid: "other", isProved: false, isCompared: true },
  ...{ boundAtMs: 0n, permitExpiresAtMs: NOW_MS },
};

function factsOf(
  given: Partial<SubjectFacts["eligibility"]> = {},
  binding: Partial<SubjectFacts["binding"]> = {},
): SubjectFacts {
  return {
    eligibility: {
      ...{ nowSeconds: NOW_MS / 1_000n, sale: sampleSale(), rules: sampleRules(), permitsStopped: false, members: [] },
      entity: { type: "person", country: "DE", isComplete: true, provider: "review" },
      ...{ accountClosed: false, frozen: false, wallet: "usable", walletRisk: false, livenessProved: false },
      ...given,
    },
    binding: {
      ...{ entityUuid: "me", wallet: WALLET, isLinked: false, isLinkedElsewhere: false, otherWallets: [] },
      ...binding,
    },
    ...{ nowMs: NOW_MS, accountUuid: "account", hiddenFrom: new Set() },
  };
}

/** The question that must be answered first, the reason of a refusal, or `ready`. */
function result(facts: SubjectFacts, answers: OutsideAnswers = NO_ANSWERS): string {
  const decision = decideSubject(facts, answers);
  if (decision.kind === "needsOutsideCheck") return `asks for ${decision.question.kind}`;
  return decision.kind === "refused" ? decision.reason : decision.kind;
}

const rulesWith = (wallets: typeof RULES) => ({ rules: sampleRules({ wallets }) });
const screening = (isRisky: boolean, rules = SCREENED) => ({ ...NO_ANSWERS, screening: { isRisky, rules } });
const OVER_MS = NOW_MS + BID_FINALITY_MS + 1n;
const ofWallet = (completeUntilMs: bigint | undefined) => ({
  bids: { ofWallet: { bidder: "nobody", completeUntilMs } as const },
});
const ofEntity = (completeUntilMs: bigint | undefined) => ({
  bids: { ofEntity: { wallets: new Set<string>(), completeUntilMs } },
});

describe("decideSubject", () => {
  it("asks nobody where the facts suffice", () => {
    expect(decideSubject(factsOf(), NO_ANSWERS)).toMatchObject({
      kind: "ready",
      group: { uuid: GROUP_UUID },
      releases: [],
    });
    expect(result(factsOf({ rules: sampleRules({ livenessRequired: true }) }))).toBe("requires-liveness");
  });

  it("asks nobody about somebody who gets no permit anyway", () => {
    const facts = { ...rulesWith(SCREENED), frozen: true, walletRisk: true };
    expect(result(factsOf(facts, { binding: FOREIGN }))).toBe("unknown");
    expect(result(factsOf({ ...rulesWith({ ...SCREENED, linkingRequired: true }) }))).toBe("wallet-not-linked");
  });

  it("asks for the bids with another's wallet, and then the screener", () => {
    const facts = factsOf(rulesWith(SCREENED), { binding: FOREIGN });
    expect(result(facts)).toBe("asks for bids");
    expect(result(facts, ofWallet(undefined))).toBe("wallet-not-linked");
    const free = ofWallet(OVER_MS);
    expect(result(facts, free)).toBe("asks for screening");
    expect(result(facts, { ...screening(false), ...free })).toBe("ready");
  });

  it("says which wallets an entity loses for another one", () => {
    const expired = { ...FOREIGN, entityUuid: "me", wallet: { ...WALLET, bytes: new Uint8Array(20).fill(2) } };
    const facts = factsOf(rulesWith({ ...RULES, maxWalletsPerEntity: 1 }), { otherWallets: [expired] });
    expect(result(facts)).toBe("asks for bids");
    expect(decideSubject(facts, ofEntity(OVER_MS))).toMatchObject({ kind: "ready", releases: [expired] });
    expect(result(facts, ofEntity(undefined))).toBe("max-wallets-used");
  });

  it.each([
    ["by the same rules", SCREENED, "ready"],
    ["by another screener", { ...SCREENED, screenerUrl: "https://other.example" }, "asks for screening"],
    ["by other rules for its failure", { ...SCREENED, onScreeningFailure: "open" as const }, "asks for screening"],
    ["by none", RULES, "asks for screening"],
  ])("takes a screening %s", (_, rules, expected) => {
    expect(result(factsOf(rulesWith(SCREENED)), screening(false, rules))).toBe(expected);
  });

  it("refuses a risky wallet, and one that was denied since it was screened", () => {
    expect(result(factsOf(rulesWith(SCREENED)), screening(true))).toBe("wallet-risk");
    const denied = factsOf({ ...rulesWith(SCREENED), walletRisk: true });
    expect(result(denied)).toBe("asks for screening");
    expect(result(denied, screening(false))).toBe("wallet-risk");
  });
});
