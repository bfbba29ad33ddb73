import { hasBiddingEnded } from "../../../common/sale/state/bidding.ts";
import type { SaleFacts } from "../base/sale-facts.ts";
import type { MatchedMember } from "../members/matching-members-store.ts";
import {
  type ParticipationGroup,
  type ParticipationRules,
  permitProblems,
  type WalletRules,
} from "../rules/participation-rules.ts";
import { type BindingFacts, type ContractBids, judgeBinding, type SaleWallet } from "../wallets/binding.ts";
import {
  type BidLimits,
  bidLimits,
  chosenGroup,
  type EligibilityFacts,
  isExcluded,
  type ParticipantFacts,
} from "./entity-eligibility.ts";

/** The reasons for which no permit is issued, in the order in which they are checked. The first that holds is the answer. */
export const FAILURE_REASONS = [
  /** The sale isn't open, its contract takes no bids, or taking part is off, was stopped or isn't possible. */
  "sale-not-active",
  /** The entity's set-up isn't complete, or the rules or a freeze exclude it. */
  "unknown",
  "outside-time-window",
  /** The wallet must be linked first, or is another entity's in this sale. */
  "wallet-not-linked",
  "max-wallets-used",
  "wallet-risk",
  "requires-liveness",
] as const;

export type FailureReason = (typeof FAILURE_REASONS)[number];

/** The facts on which it depends whether an entity gets a permit for a wallet. */
export interface WalletEligibilityFacts extends EligibilityFacts {
  readonly nowSeconds: bigint;
  readonly sale: SaleFacts;
  readonly rules: ParticipationRules;
  /** Whether permits of the sale are stopped at the moment. */
  readonly permitsStopped: boolean;
  readonly members: readonly MatchedMember[];
  /** Whether the wallet may be used by the entity in this sale. */
  readonly wallet: "usable" | "not_linked" | "max_wallets_used";
  /** Whether the wallet is refused by the deny list or the screener, or can't be screened. */
  readonly walletRisk: boolean;
  readonly livenessProved: boolean;
}

/** A permit may be issued. */
export interface Eligible {
  readonly kind: "ready";
  readonly group: ParticipationGroup;
  readonly limits: BidLimits;
  readonly payload: ParticipationRules["payload"];
  /** The keys of members that the permit binds to the entity, for `bindMembers`. */
  readonly memberKeys: readonly string[];
}

/** The first reason for which no permit is issued. */
export interface Refused {
  readonly kind: "refused";
  readonly reason: FailureReason;
}

export type EligibilityDecision = Eligible | Refused;

/** Decides whether an entity gets a permit for a wallet now; if not, the first reason of `FAILURE_REASONS` that holds. */
export function decideEligibility(facts: WalletEligibilityFacts): EligibilityDecision {
  const { rules, members } = facts;
  if (!isActive(facts)) return refused("sale-not-active");
  const chosen = chosenGroup(rules, members);
  if (chosen === undefined || isExcluded(facts)) return refused("unknown");
  const { group, members: groupMembers } = chosen;
  if (!isWithinWindow(group, facts.nowSeconds)) return refused("outside-time-window");
  const reason = reasonOfWallet(facts);
  if (reason !== undefined) return refused(reason);
  const memberKeys = groupMembers.filter(({ binds }) => binds).map(({ keyMac }) => keyMac);
  return {
    kind: "ready",
    group,
    limits: bidLimits(facts.sale, rules, chosen),
    payload: rules.payload,
    memberKeys,
  };
}

export function refused(reason: FailureReason): Refused {
  return { kind: "refused", reason };
}

function isActive({ sale, rules, permitsStopped }: WalletEligibilityFacts): boolean {
  const takesBids = sale.status === "open" && sale.stage !== "unknown" && !hasBiddingEnded(sale.stage);
  return takesBids && rules.enabled && !permitsStopped && permitProblems(sale).length === 0;
}

/** Whether a time lies in the window `[opensAt, closesAt)` of a group. */
function isWithinWindow({ opensAt, closesAt }: ParticipationGroup, nowSeconds: bigint): boolean {
  return nowSeconds >= opensAt && (closesAt === undefined || nowSeconds < closesAt);
}

function reasonOfWallet({
  wallet,
  walletRisk,
  rules,
  livenessProved,
}: WalletEligibilityFacts): FailureReason | undefined {
  if (wallet === "not_linked") return "wallet-not-linked";
  if (wallet === "max_wallets_used") return "max-wallets-used";
  if (walletRisk) return "wallet-risk";
  return rules.livenessRequired && !livenessProved ? "requires-liveness" : undefined;
}

/** The facts about an entity that asks for a permit, and about its wallet. */
export interface SubjectFacts extends Omit<ParticipantFacts, "eligibility"> {
  /** `walletRisk` says what the deny list does; `wallet` isn't judged yet. */
  readonly eligibility: WalletEligibilityFacts;
  readonly binding: BindingFacts;
  /** Milliseconds since 1970. */
  readonly nowMs: bigint;
}

/** Answers to what was asked outside of the database about one request. */
export interface OutsideAnswers {
  readonly bids: ContractBids;
  /** Absent: the wallet wasn't screened. */
  readonly screening?: {
    readonly isRisky: boolean;
    /** The rules by which it was screened. By others it must be screened anew. */
    readonly rules: Pick<WalletRules, "screenerUrl" | "onScreeningFailure">;
  };
}

/** A question to somebody outside of the database, whose answer a decision needs. */
export type OutsideQuestion =
  | { readonly kind: "bids"; readonly bidsOf: keyof ContractBids }
  | { readonly kind: "screening"; readonly rules: WalletRules };

/** A permit may be issued for a wallet. */
export interface ReadySubject extends Eligible {
  /** Wallets of the entity that it loses (`judgeBinding`). */
  readonly releases: readonly SaleWallet[];
  /** Whether the contract has tied the wallet to the entity. */
  readonly isContracts: boolean;
}

type SubjectDecision =
  | ReadySubject
  | Refused
  | { readonly kind: "needsOutsideCheck"; readonly question: OutsideQuestion };

export const NO_ANSWERS: OutsideAnswers = { bids: {} };

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
  if (judgement.kind === "unknown") return needs({ kind: "bids", bidsOf: judgement.bidsOf });
  if (judgement.kind === "refused") {
    const wallet = judgement.reason === "wallet-not-linked" ? "not_linked" : "max_wallets_used";
    return decidedWith(decideEligibility({ ...eligibility, wallet }), { releases: [], isContracts: false });
  }
  if (isScreeningDue(eligibility, screening)) return needs({ kind: "screening", rules });
  const walletRisk = eligibility.walletRisk || (screening?.isRisky ?? false);
  const isContracts = bids.ofWallet?.bidder === "own";
  return decidedWith(decideEligibility({ ...eligibility, walletRisk }), { releases: judgement.releases, isContracts });
}

function needs(question: OutsideQuestion): SubjectDecision {
  return { kind: "needsOutsideCheck", question };
}

function decidedWith(
  decision: Eligible | Refused,
  binding: Pick<ReadySubject, "releases" | "isContracts">,
): SubjectDecision {
  return decision.kind === "ready" ? { ...decision, ...binding } : decision;
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
