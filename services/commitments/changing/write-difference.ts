import { inBatches } from "../../../common/platform/db/batches.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { mayBidAgain } from "../../../common/sale/definition/contract-family.ts";
import { sourceFamily } from "../../../common/sale/definition/sale.ts";
import { tickWidth } from "../../../common/sale/definition/tick-width.ts";
import { countsDemand, demandOfBids } from "../../../common/sale/figures/bid-demand.ts";
import type { Allocation } from "../../../common/sale/record/allocation.ts";
import { allocationOf, selectAllocationsOfEntities, storeAllocations } from "../base/allocation-rows.ts";
import {
  deleteCommitments,
  insertCommitments,
  insertRows,
  readStored,
  storedOf,
  upsertCommitments,
  type WrittenSale,
} from "../base/commitment-rows.ts";
import type { SaleState } from "../base/domain/sale-state.ts";
import type { IncomingCommitment, StoredCommitment } from "../base/domain/stored-commitment.ts";
import { storeWalletChanges } from "../base/wallet-rows.ts";
import type { ChangingSale } from "./changing-sale.ts";
import type { AllocationWrites } from "./domain/accepted-changes.ts";
import { type ApplyPlan, planApply } from "./domain/apply.ts";
import { looksUpStored } from "./prefetch.ts";

/** The checked rows of an apply. */
export interface Difference {
  readonly incoming: readonly IncomingCommitment[];
  /** Commitment IDs. */
  readonly removals: readonly string[];
}

/** Writes the rows and sums in which a sale differs. @param target the sale's state after the apply */
export async function writeDifference(
  dialect: SqlDialect,
  changing: ChangingSale,
  { incoming, removals }: Difference,
  target: SaleState,
): Promise<ApplyPlan> {
  const { sale, state: before, nodes, writes } = changing;
  const planFor = (stored: ReadonlyMap<string, StoredCommitment>) =>
    planApply({
      incoming,
      removals,
      stored,
      state: target,
      cancelledKeepsAmounts: sale.definition.cancelledKeepsAmounts,
      width: tickWidth(sale.definition),
      ticksMatter: sale.definition.pricing.kind === "auction",
      demandOf: demandOfBids(sale.definition),
      mayBidAgain: mayBidAgain(sourceFamily(sale.definition.source)),
    });
  const ifNew = !changing.canRead || !looksUpStored(before, removals) ? planFor(new Map()) : undefined;
  const newAllocations = ifNew && (await allocationsAfter(dialect, changing, ifNew));
  if (ifNew !== undefined && newAllocations !== undefined && (await insertNew(dialect, changing, ifNew.rows))) {
    await writes.add(storeWalletChanges(dialect, sale.uuid, ifNew.walletChanges));
    await writes.add(storeAllocations(dialect, sale.uuid, newAllocations));
    await writes.add(await nodes.add(ifNew.tickChanges));
    return ifNew;
  }
  const plan = planFor(await readStoredBefore(dialect, changing, incoming, removals));
  const allocations = await allocationsAfter(dialect, changing, plan);
  await writes.add(deleteCommitments(dialect, sale.uuid, plan.removals));
  await writes.add(upsertCommitments(dialect, writtenSale(changing), plan.rows));
  await writes.add(storeWalletChanges(dialect, sale.uuid, plan.walletChanges));
  await writes.add(storeAllocations(dialect, sale.uuid, allocations));
  await writes.add(await nodes.add(plan.tickChanges));
  return plan;
}

/** Returns the allocations to write. They are read before anything is written, and only where entities may bid again. */
async function allocationsAfter(
  dialect: SqlDialect,
  changing: ChangingSale,
  { acceptedChanges }: ApplyPlan,
): Promise<AllocationWrites> {
  const stored: Allocation[] = [];
  for (const entityIds of inBatches(acceptedChanges.entities)) {
    const statement = selectAllocationsOfEntities(dialect, changing.sale.uuid, entityIds);
    stored.push(...(await changing.transaction.executeQuery(statement)).rows.map(allocationOf));
  }
  return acceptedChanges.writes(stored);
}

/** Inserts commitments without having looked. @returns false if one is stored already: then nothing was inserted. */
async function insertNew(dialect: SqlDialect, changing: ChangingSale, rows: ApplyPlan["rows"]): Promise<boolean> {
  const { writes, canRead } = changing;
  const sale = writtenSale(changing);
  if (canRead) return insertRows(dialect, changing.transaction, sale, rows);
  // If one of them is stored the whole message fails.
  await writes.add(insertCommitments(dialect, sale, rows));
  return true;
}

function writtenSale({ sale: { uuid, definition } }: ChangingSale): WrittenSale {
  return { uuid, countsDemand: countsDemand(definition) };
}

async function readStoredBefore(
  dialect: SqlDialect,
  { transaction, sale, prefetched: { stored } }: ChangingSale,
  incoming: readonly IncomingCommitment[],
  removals: readonly string[],
): Promise<ReadonlyMap<string, StoredCommitment>> {
  if (stored !== undefined) return storedOf(stored);
  const ids = [...incoming.map(({ record }) => record.commitmentId), ...removals];
  return readStored(dialect, transaction, sale.uuid, ids);
}
