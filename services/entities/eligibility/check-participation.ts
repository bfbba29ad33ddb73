import type { BaseDependencies } from "../base/dependencies.ts";
import { type ScreeningDependencies, screenWallet } from "../screening/screen-wallet.ts";
import type { KnownBids } from "../wallets/binding.ts";
import { type BidDependencies, judgeWallet } from "../wallets/entity-bids.ts";
import { decideParticipation, type ParticipationDecision, type ParticipationFacts } from "./decide.ts";
import { gatherFacts, type JudgedWallet, type ParticipationSubject, refusedWallet } from "./gather-facts.ts";

export type CheckDependencies = Pick<BaseDependencies, "database" | "clock" | "derivedKeys"> &
  BidDependencies &
  ScreeningDependencies;

/** A decision, and what was asked outside of the database for it. A permit is recorded with the same. */
export interface CheckedParticipation {
  readonly decision: ParticipationDecision;
  readonly judged: JudgedWallet;
  readonly bids: KnownBids;
}

/** A wallet that nobody has been asked about. */
const USABLE: JudgedWallet = {
  wallet: "usable",
  walletRisk: false,
  screening: { screenerUrl: "", onScreeningFailure: "closed" },
};
const NO_BIDS: KnownBids = new Map();

/**
 * Decides whether an entity gets a permit for a wallet now. The wallet's bids and its screener are asked only if nothing
 * else that comes before them speaks against it. Nothing is written.
 *
 * @returns undefined if the entity was deleted
 * @throws ServiceError `unavailable` if the commitments service doesn't answer
 */
export async function checkParticipation(
  dependencies: CheckDependencies,
  subject: ParticipationSubject,
): Promise<CheckedParticipation | undefined> {
  const { database, clock, derivedKeys } = dependencies;
  const context = { derivedKeys, nowMs: clock() };
  const facts = await database.read((query) => gatherFacts(query, context, subject, USABLE));
  if (facts === undefined) return undefined;
  const first = decideParticipation({ ...facts, walletRisk: false, livenessProved: true });
  if (first.kind === "refused") return { decision: first, judged: USABLE, bids: NO_BIDS };
  const { judged, bids } = await judge(dependencies, subject, facts, context.nowMs);
  const walletRisk = judged.walletRisk || facts.walletRisk;
  return { decision: decideParticipation({ ...facts, ...judged, walletRisk }), judged, bids };
}

async function judge(
  dependencies: CheckDependencies,
  { sale, entity, wallet }: ParticipationSubject,
  { rules }: ParticipationFacts,
  nowMs: bigint,
): Promise<{ readonly judged: JudgedWallet; readonly bids: KnownBids }> {
  const key = { saleUuid: sale.saleUuid, entityUuid: entity.entityUuid, wallet };
  const { judgement, bids } = await judgeWallet(dependencies, key, rules.wallets, nowMs);
  if (judgement.kind === "refused") {
    return { judged: { ...USABLE, wallet: refusedWallet(judgement.reason) }, bids };
  }
  const result = await screenWallet(dependencies, sale.saleUuid, rules.wallets, wallet);
  return { judged: { wallet: "usable", walletRisk: result === "risky", screening: rules.wallets }, bids };
}
