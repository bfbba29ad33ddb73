import type { TickWidth } from "../../../../common/sale/definition/tick-width.ts";
import type { demandOfBids } from "../../../../common/sale/figures/bid-demand.ts";
import { type CountingClass, countingClassOf } from "../../../../common/sale/figures/counting-class.ts";
import { TickChanges } from "../../../../common/sale/figures/tick-tree.ts";
import { type CommitmentOfWallet, walletsOf } from "../../../../common/sale/record/commitment.ts";
import type { SaleState } from "../../base/domain/sale-state.ts";
import type { CommitmentRow, IncomingCommitment, StoredCommitment } from "../../base/domain/stored-commitment.ts";
import { AcceptedChanges } from "./accepted-changes.ts";

export interface ApplyPlan {
  /** Rows to write: new ones, and those that differ from the stored ones. */
  readonly rows: readonly CommitmentRow[];
  /** The new ones among `rows`. */
  readonly added: readonly CommitmentRow[];
  /** Stored commitment IDs to delete. */
  readonly removals: readonly string[];
  readonly tickChanges: TickChanges;
  readonly walletChanges: WalletChanges;
  readonly acceptedChanges: AcceptedChanges;
  /** Whether readers can see a difference. A row with only another source index shows none. */
  readonly visible: boolean;
}

export interface ApplyInput {
  readonly incoming: readonly IncomingCommitment[];
  readonly removals: readonly string[];
  /** The stored ones among the commitments of `incoming` and `removals`. */
  readonly stored: ReadonlyMap<string, StoredCommitment>;
  /** The sale's state after the apply. */
  readonly state: SaleState;
  readonly cancelledKeepsAmounts: boolean;
  readonly width: TickWidth;
  /** Whether the sale is an auction. */
  readonly ticksMatter: boolean;
  /** See the function of that name. */
  readonly mayBidAgain: boolean;
  /** See `demandOfBids`. */
  readonly demandOf: ReturnType<typeof demandOfBids>;
}

/** Decides what an apply writes: the rows that differ, and by how much each sum changes. */
export function planApply(input: ApplyInput): ApplyPlan {
  const tickChanges = new TickChanges(input.width, input.ticksMatter);
  const walletChanges = new WalletChanges();
  const acceptedChanges = new AcceptedChanges(input.mayBidAgain);
  const rows: CommitmentRow[] = [];
  const added: CommitmentRow[] = [];
  let visible = false;
  for (const incoming of input.incoming) {
    const before = input.stored.get(incoming.record.commitmentId);
    const { record, amount, hasAmount, digest } = incoming;
    const row = { record, amount, hasAmount, digest, countingClass: nextClass(incoming, before, input) };
    if (before !== undefined && isSame(before, row)) continue;
    rows.push(row);
    if (before === undefined) added.push(row);
    visible ||= before === undefined || before.digest !== row.digest || before.countingClass !== row.countingClass;
    if (before !== undefined) removeFrom(tickChanges, before, input);
    const demand = input.demandOf({ amount, demand: record.demand });
    tickChanges.add(row.countingClass, record.priceTicks, amount, demand);
    walletChanges.replace(record.commitmentId, before?.wallets ?? [], walletsOf(record.amounts));
    acceptedChanges.replace(before, record);
  }
  const removed = input.removals.flatMap((id) => input.stored.get(id) ?? []);
  for (const stored of removed) {
    removeFrom(tickChanges, stored, input);
    walletChanges.replace(stored.commitmentId, stored.wallets, []);
    acceptedChanges.replace(stored, undefined);
  }
  return {
    rows,
    added,
    removals: removed.map(({ commitmentId }) => commitmentId),
    tickChanges,
    walletChanges,
    acceptedChanges,
    visible: visible || removed.length > 0,
  };
}

function removeFrom(tickChanges: TickChanges, stored: StoredCommitment, { demandOf }: ApplyInput): void {
  tickChanges.remove(stored.countingClass, stored.priceTicks, stored.amount, demandOf(stored));
}

function nextClass(
  { record, hasAmount }: IncomingCommitment,
  before: StoredCommitment | undefined,
  { state, cancelledKeepsAmounts }: ApplyInput,
): CountingClass {
  const known = before === undefined ? {} : { before: before.countingClass };
  return countingClassOf({ refunded: record.refunded, hasAmount, ...known }, state, cancelledKeepsAmounts);
}

function isSame(before: StoredCommitment, row: CommitmentRow): boolean {
  return (
    before.digest === row.digest &&
    before.countingClass === row.countingClass &&
    before.sourceIndex === row.record.sourceIndex
  );
}

/** The changes that a batch of commitments makes to the commitments of each wallet. */
class WalletChanges {
  readonly added: CommitmentOfWallet[] = [];
  readonly removed: CommitmentOfWallet[] = [];

  /** Replaces the wallets of a commitment. @param before empty for a new one @param after empty for one that is removed */
  replace(commitmentId: string, before: readonly string[], after: readonly string[]): void {
    for (const wallet of after) if (!before.includes(wallet)) this.added.push({ wallet, commitmentId });
    for (const wallet of before) if (!after.includes(wallet)) this.removed.push({ wallet, commitmentId });
  }
}
