import type { BaseDependencies } from "../base/dependencies.ts";
import type { CheckedParticipation } from "../eligibility/check-participation.ts";
import { decideParticipation } from "../eligibility/decide.ts";
import { type JudgedWallet, type ParticipationSubject, refusedWallet } from "../eligibility/gather-facts.ts";
import type { PermitKey } from "../permit-keys/permit-key.ts";
import { judgeBinding, type KnownBids } from "../wallets/binding.ts";
import { type BatchedFacts, type GatheredBatch, gatherBatch } from "./gather-batch.ts";

/** A check, as far as the facts of a batch decide it; `alone`: they don't. */
export type PlainCheck = CheckedParticipation | "alone";

/** A check and the sale's keys. */
export interface BatchedCheck {
  /** `alone`: it is for `checkParticipation`; `deleted`: the entity was deleted. */
  readonly checked: PlainCheck | "deleted";
  readonly keys: readonly PermitKey[];
}

const NO_BIDS: KnownBids = new Map();

/**
 * Checks several subjects of a sale as `checkParticipation` does one, as far as the database alone decides it. Nothing is
 * written.
 */
export async function checkBatch(
  { database, clock }: Pick<BaseDependencies, "database" | "clock">,
  saleUuid: string,
  subjects: readonly ParticipationSubject[],
): Promise<readonly BatchedCheck[]> {
  const { dialect } = database;
  const gathered = await database.read((query) => gatherBatch(query, { dialect, saleUuid, subjects, locks: "none" }));
  const [{ keys }, nowMs] = [gathered, clock()];
  return gathered
    .at(nowMs)
    .map((facts) => ({ checked: facts === undefined ? "deleted" : checkFacts(gathered, facts, nowMs), keys }));
}

/** Whether the database alone decides about permits of a sale. */
export function isDecidedHere({ isPlain, rules }: Pick<GatheredBatch, "isPlain" | "rules">): boolean {
  return isPlain && rules.wallets.screenerUrl === "";
}

/** Checks a subject by the facts that were gathered about it. */
export function checkFacts(
  gathered: Pick<GatheredBatch, "isPlain" | "rules">,
  { facts, binding }: Pick<BatchedFacts, "facts" | "binding">,
  nowMs: bigint,
): PlainCheck {
  if (!isDecidedHere(gathered)) return "alone";
  const judgement = judgeBinding(binding, facts.rules.wallets, NO_BIDS, nowMs);
  // Screening counts what it finds on a deny list.
  if (judgement.kind === "unknown" || facts.walletRisk) return "alone";
  const judged: JudgedWallet = { wallet: "usable", walletRisk: false, screening: facts.rules.wallets };
  if (judgement.kind === "allowed") return { decision: decideParticipation(facts), judged, bids: NO_BIDS };
  const wallet = refusedWallet(judgement.reason);
  return { decision: decideParticipation({ ...facts, wallet }), judged: { ...judged, wallet }, bids: NO_BIDS };
}
