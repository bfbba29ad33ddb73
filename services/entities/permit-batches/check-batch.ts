import type { Kysely } from "kysely";
import type { BaseDependencies } from "../base/dependencies.ts";
import type { CheckedParticipation } from "../eligibility/check-participation.ts";
import { decideParticipation } from "../eligibility/decide.ts";
import type { JudgedWallet, ParticipationSubject } from "../eligibility/gather-facts.ts";
import { readEntities } from "../entities/entities-store.ts";
import type { PermitKey } from "../keys/permit-key.ts";
import { readKeys } from "../keys/permit-keys-store.ts";
import type { EntitiesSchema } from "../schema/schema.ts";
import { judgeBinding, type KnownBids } from "../wallets/binding.ts";
import { type BatchedFacts, gatherBatch } from "./gather-batch.ts";
import { readPlainSale } from "./plain-sale.ts";

/** A check and the sale's keys. */
export interface BatchedCheck {
  /** `deleted`: so was the entity. `alone`: it takes more than a batch reads, which is for `checkParticipation`. */
  readonly checked: CheckedParticipation | "deleted" | "alone";
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
  return database.read(async (query) => {
    const checks = await checkPlain(query, saleUuid, subjects, clock());
    const keys = await readKeys(query, saleUuid);
    return subjects.map((_, index) => ({ checked: checks?.[index] ?? "alone", keys }));
  });
}

async function checkPlain(
  query: Kysely<EntitiesSchema>,
  saleUuid: string,
  subjects: readonly ParticipationSubject[],
  nowMs: bigint,
): Promise<readonly BatchedCheck["checked"][] | undefined> {
  const sale = await readPlainSale(query, saleUuid);
  if (sale === undefined || sale.rules.wallets.screenerUrl !== "") return undefined;
  const entities = await readEntities(
    query,
    subjects.map(({ entity }) => entity.entityUuid),
  );
  const gathered = await gatherBatch(query, sale, entities, subjects, nowMs);
  return gathered.map((facts) => (facts === undefined ? "deleted" : check(facts, nowMs)));
}

function check({ facts, binding }: BatchedFacts, nowMs: bigint): BatchedCheck["checked"] {
  const judgement = judgeBinding(binding, facts.rules.wallets, NO_BIDS, nowMs);
  // Screening counts what it finds on a deny list.
  if (judgement.kind === "unknown" || facts.walletRisk) return "alone";
  const judged: JudgedWallet = { wallet: "usable", walletRisk: false };
  if (judgement.kind === "allowed") return { decision: decideParticipation(facts), judged, bids: NO_BIDS };
  const wallet = judgement.reason === "wallet-not-linked" ? "not_linked" : "max_wallets_used";
  return { decision: decideParticipation({ ...facts, wallet }), judged: { ...judged, wallet }, bids: NO_BIDS };
}
