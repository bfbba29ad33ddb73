import type { WalletRules } from "../rules/participation-rules.ts";
import { type BidsByEntity, judgeBinding, type SaleWallet } from "../wallets/binding.ts";
import { decideEligibility, type Eligible, type Refused } from "./decide.ts";
import type { SubjectFacts } from "./load-facts.ts";

/** Answers to what was asked outside of the database about one request. */
export interface OutsideAnswers {
  /** The bids of those entities for which they were asked. */
  readonly bids: BidsByEntity;
  /** Absent: the wallet wasn't screened. */
  readonly screening?: {
    readonly isRisky: boolean;
    /** The rules by which it was screened. By others it must be screened anew. */
    readonly rules: Pick<WalletRules, "screenerUrl" | "onScreeningFailure">;
  };
}

/** A question to somebody outside of the database, whose answer a decision needs. */
export type OutsideQuestion =
  | { readonly kind: "bids"; readonly entityUuid: string }
  | { readonly kind: "screening"; readonly rules: WalletRules };

/** A permit may be issued for a wallet. */
export interface ReadySubject extends Eligible {
  /** Wallets of the entity that it loses (`judgeBinding`). */
  readonly releases: readonly SaleWallet[];
}

export type SubjectDecision =
  | ReadySubject
  | Refused
  | { readonly kind: "needsOutsideCheck"; readonly question: OutsideQuestion };

export const NO_ANSWERS: OutsideAnswers = { bids: new Map() };

/**
 * Decides whether an entity gets a permit for a wallet. Bids and the screener are needed only where nothing that comes before them
 * in `FAILURE_REASONS` speaks against it.
 */
export function decideSubject(
  { eligibility, binding, nowMs }: SubjectFacts,
  { bids, screening }: OutsideAnswers,
): SubjectDecision {
  const { wallets: rules } = eligibility.rules;
  const first = decideEligibility({ ...eligibility, walletRisk: false, livenessProved: true });
  if (first.kind === "refused") return first;
  const judgement = judgeBinding(binding, rules, bids, nowMs);
  if (judgement.kind === "unknown") return needs({ kind: "bids", entityUuid: judgement.entityUuid });
  if (judgement.kind === "refused") {
    const wallet = judgement.reason === "wallet-not-linked" ? "not_linked" : "max_wallets_used";
    return withReleases(decideEligibility({ ...eligibility, wallet }), []);
  }
  if (isScreeningDue(eligibility, screening)) return needs({ kind: "screening", rules });
  const walletRisk = eligibility.walletRisk || (screening?.isRisky ?? false);
  return withReleases(decideEligibility({ ...eligibility, walletRisk }), judgement.releases);
}

function needs(question: OutsideQuestion): SubjectDecision {
  return { kind: "needsOutsideCheck", question };
}

function withReleases(decision: Eligible | Refused, releases: readonly SaleWallet[]): SubjectDecision {
  return decision.kind === "ready" ? { ...decision, releases } : decision;
}

/** Whether a wallet must be screened by the rules of now. A denied one is screened too, since screening counts it. */
function isScreeningDue(
  { rules: { wallets }, walletRisk }: SubjectFacts["eligibility"],
  screening: OutsideAnswers["screening"],
): boolean {
  if (screening === undefined) return wallets.screenerUrl !== "" || walletRisk;
  if (screening.rules.screenerUrl !== wallets.screenerUrl) return true;
  return wallets.screenerUrl !== "" && screening.rules.onScreeningFailure !== wallets.onScreeningFailure;
}
