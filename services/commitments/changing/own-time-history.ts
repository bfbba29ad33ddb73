import { setImmediate } from "node:timers/promises";
import type { LongSnapshot } from "../../../common/platform/db/long-snapshot.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { activeClasses, type CountingClass } from "../../../common/sale/figures/counting-class.ts";
import { TickChanges } from "../../../common/sale/figures/tick-tree.ts";
import { isPublic, type LateRows } from "../base/domain/sale-state.ts";
import type { SaleWithState } from "../base/domain/sale-with-state.ts";
import { bigintOf, tickOfBytes } from "../base/encoding.ts";
import { LoadedNodes } from "../base/loaded-nodes.ts";
import { readSaleWithState } from "../base/read-sale.ts";
import { SaleNodes, selectAllNodes } from "../base/sale-nodes.ts";
import type { CommitmentsDatabase, CommitmentsSchema } from "../base/schema.ts";
import { EndedBuckets } from "./domain/ended-buckets.ts";
import { findClearingTick } from "./find-clearing-tick.ts";
import type { BucketFigures, HistoryFigures, ReplacedHistory } from "./history.ts";

/** The commitments that are read at once: between two pages the process does other work. */
const PAGE_ROWS = 500;
/** More nodes than a sale has: the tree is read whole, as each step back changes it. */
const ALL_NODES = Number.MAX_SAFE_INTEGER;

type Snapshot = LongSnapshot<CommitmentsSchema>;

/** A history in which commitments are at their own time, and the revision at which they were read. */
export interface OwnTimeHistory extends ReplacedHistory {
  readonly revision: bigint;
}

/** Whether the history of a sale lacks commitments at their own time, and its rows are what readers see. */
export function lacksLateRows<State extends SaleWithState["state"]>(
  state: State,
): state is State & { readonly lateRows: LateRows } {
  return state.lateRows !== undefined && isPublic(state) && state.hasSnapshot && state.changeSet === undefined;
}

/**
 * Reads the history of a sale from the time of its earliest late commitment to now. It goes back from the present figures and takes
 * away one commitment after the other, each with its amounts of now: so it leads exactly to the present figures.
 *
 * @returns undefined if no commitment is late, or what is stored isn't what readers see
 */
export async function readOwnTimeHistory(
  database: CommitmentsDatabase,
  saleUuid: string,
  signal: AbortSignal,
): Promise<OwnTimeHistory | undefined> {
  // Before the snapshot: a change that it lacks is of a bucket that isn't over, which is left as it is.
  const toSeconds = (await database.nowMillis()) / 1000n;
  const snapshot = await database.openSnapshot();
  try {
    const read = await snapshot.read((transaction) => readSaleWithState(transaction, saleUuid));
    if (!lacksLateRows(read.state)) return undefined;
    const { revision, lateRows } = read.state;
    const { fromSeconds } = lateRows;
    const nodes = await readNodes(database, snapshot, saleUuid);
    const buckets = await bucketsOf(snapshot, read, nodes, { fromSeconds, toSeconds, signal });
    return { fromSeconds, toSeconds, revision, buckets };
  } finally {
    await snapshot.close();
  }
}

async function readNodes({ dialect }: CommitmentsDatabase, snapshot: Snapshot, saleUuid: string): Promise<SaleNodes> {
  const query = selectAllNodes(dialect, saleUuid, ALL_NODES);
  const { rows } = await snapshot.read((transaction) => transaction.executeQuery(query));
  return new SaleNodes(dialect, saleUuid, LoadedNodes.whole(rows), async () => []);
}

interface Span {
  readonly fromSeconds: bigint;
  readonly toSeconds: bigint;
  readonly signal: AbortSignal;
}

async function bucketsOf(
  snapshot: Snapshot,
  read: SaleWithState,
  nodes: SaleNodes,
  { fromSeconds, toSeconds, signal }: Span,
): Promise<readonly BucketFigures[]> {
  const ended = new EndedBuckets(toSeconds);
  const buckets: BucketFigures[] = [];
  const isAuction = read.sale.definition.pricing.kind === "auction";
  let later = new TickChanges(isAuction);
  for await (const { atSeconds, countingClass, tick, amount } of rowsBackTo(snapshot, read, fromSeconds, signal)) {
    const ending = ended.endingWith(atSeconds);
    if (ending.length > 0) {
      await nodes.note(later);
      later = new TickChanges(isAuction);
      const figures = await figuresOf(nodes, read);
      buckets.push(...ending.map((bucket) => ({ ...bucket, ...figures })));
    }
    later.remove(countingClass, tick, amount);
  }
  return buckets;
}

/** Returns the figures of a sale by its present definition. */
export async function figuresOf(nodes: SaleNodes, { sale, state }: SaleWithState): Promise<HistoryFigures> {
  const { definition } = sale;
  const total = await nodes.total(activeClasses(state, definition.cancelledKeepsAmounts));
  return { ...total, ...(await findClearingTick(nodes, definition, state)) };
}

interface CountedRow {
  readonly atSeconds: bigint;
  readonly countingClass: CountingClass;
  readonly tick: bigint;
  readonly amount: bigint;
}

/** Reads the active commitments of a sale since a time, by time descending. @throws the signal's reason once it is aborted */
async function* rowsBackTo(
  snapshot: Snapshot,
  { sale, state }: SaleWithState,
  fromSeconds: bigint,
  signal: AbortSignal,
): AsyncGenerator<CountedRow> {
  const classes = activeClasses(state, sale.definition.cancelledKeepsAmounts);
  let after: { readonly created_neg: bigint; readonly commitment_id: Uint8Array } | undefined;
  do {
    signal.throwIfAborted();
    const last = after;
    const rows = await snapshot.read((transaction) => {
      const page = transaction
        .selectFrom("commitment")
        .select(["created_neg", "commitment_id", "standing", "price_tick", "amount"])
        .where("sale", "=", bytesOfHex(sale.uuid))
        .where("standing", "in", classes)
        .where("created_neg", "<=", -fromSeconds)
        .orderBy("created_neg")
        .orderBy("commitment_id")
        .limit(PAGE_ROWS);
      if (last === undefined) return page.execute();
      // The first condition follows from the second, by which SQLite can't tell where in its index the page begins.
      return page
        .where("created_neg", ">=", last.created_neg)
        .where(({ eb, and, or }) =>
          or([
            eb("created_neg", ">", last.created_neg),
            and([eb("created_neg", "=", last.created_neg), eb("commitment_id", ">", last.commitment_id)]),
          ]),
        )
        .execute();
    });
    for (const { created_neg, standing, price_tick, amount } of rows) {
      const counted = { countingClass: bigintOf(standing), tick: tickOfBytes(price_tick), amount: BigInt(amount) };
      yield { atSeconds: -bigintOf(created_neg), ...counted };
    }
    const end = rows.length < PAGE_ROWS ? undefined : rows.at(-1);
    after = end && { created_neg: bigintOf(end.created_neg), commitment_id: end.commitment_id };
    // SQLite runs in the process: without this, nothing else would until the end.
    await setImmediate();
  } while (after !== undefined);
}
