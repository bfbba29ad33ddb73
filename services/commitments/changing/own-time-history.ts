import { Buffer } from "node:buffer";
import { setImmediate } from "node:timers/promises";
import type { ExpressionBuilder } from "kysely";
import type { LongSnapshot } from "../../../common/platform/db/long-snapshot.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { Sale } from "../../../common/sale/definition/sale.ts";
import { tickWidth } from "../../../common/sale/definition/tick-width.ts";
import { demandOfBids } from "../../../common/sale/figures/bid-demand.ts";
import { activeClasses, type CountingClass } from "../../../common/sale/figures/counting-class.ts";
import { TickChanges } from "../../../common/sale/figures/tick-tree.ts";
import { RESOLUTIONS_S } from "../base/domain/history-windows.ts";
import { isPublic, type LateRows } from "../base/domain/sale-state.ts";
import type { SaleWithState } from "../base/domain/sale-with-state.ts";
import { bigintOf, tickOfBytes } from "../base/encoding.ts";
import { LoadedNodes } from "../base/loaded-nodes.ts";
import { readSaleWithState } from "../base/read-sale.ts";
import { SaleNodes, selectAllNodes } from "../base/sale-nodes.ts";
import type { CommitmentsDatabase, CommitmentsSchema, CommitmentTable } from "../base/schema.ts";
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
 * Reads the history of a sale from the hour of its earliest late commitment to now. It goes back from the present figures and takes
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
    // All commitments of a replaced bucket are read: the longest ones begin here.
    const fromSeconds = lateRows.fromSeconds - (lateRows.fromSeconds % RESOLUTIONS_S[2]);
    const nodes = await readNodes(database, snapshot, read.sale);
    const buckets = await bucketsOf(snapshot, read, nodes, { fromSeconds, toSeconds, signal });
    return { fromSeconds, toSeconds, revision, buckets };
  } finally {
    await snapshot.close();
  }
}

async function readNodes(
  { dialect }: CommitmentsDatabase,
  snapshot: Snapshot,
  { uuid, definition }: Sale,
): Promise<SaleNodes> {
  const query = selectAllNodes(dialect, uuid, ALL_NODES);
  const { rows } = await snapshot.read((transaction) => transaction.executeQuery(query));
  return new SaleNodes(dialect, uuid, tickWidth(definition), LoadedNodes.whole(rows), async () => []);
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
  const { definition } = read.sale;
  const noChanges = () => new TickChanges(tickWidth(definition), definition.pricing.kind === "auction");
  const demandOf = demandOfBids(definition);
  let later = noChanges();
  for await (const { atSeconds, countingClass, tick, amount, demand } of rowsBackTo(
    snapshot,
    read,
    fromSeconds,
    signal,
  )) {
    const ending = ended.endingWith(atSeconds);
    if (ending.length > 0) {
      await nodes.note(later);
      later = noChanges();
      const figures = await figuresOf(nodes, read);
      buckets.push(...ending.map((bucket) => ({ ...bucket, ...figures })));
    }
    later.remove(countingClass, tick, amount, demandOf({ amount, demand }));
  }
  await nodes.note(later);
  const figures = await figuresOf(nodes, read);
  // What the history said before may count what no commitment of now does.
  buckets.push(...ended.endingWith(fromSeconds).map((bucket) => ({ ...bucket, ...figures })));
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
  readonly demand: bigint | undefined;
}

const COLUMNS = ["created_neg", "commitment_id", "standing", "price_tick", "amount", "demand"] as const;

type CommitmentColumns = Pick<CommitmentTable, (typeof COLUMNS)[number]>;

/** A commitment as it is read. Its time is negative: so the order of an index is by time descending. */
type StoredRow = CommitmentColumns & { readonly created_neg: bigint };

/** Reads the active commitments of a sale since a time, by time descending. @throws the signal's reason once it is aborted */
async function* rowsBackTo(
  snapshot: Snapshot,
  { sale, state }: SaleWithState,
  fromSeconds: bigint,
  signal: AbortSignal,
): AsyncGenerator<CountedRow> {
  const classes = activeClasses(state, sale.definition.cancelledKeepsAmounts);
  let last: StoredRow | undefined;
  do {
    signal.throwIfAborted();
    const rows = await readPage(snapshot, { saleUuid: sale.uuid, classes, fromSeconds, last });
    for (const { created_neg, standing, price_tick, amount, demand } of rows) {
      const counted = { countingClass: bigintOf(standing), tick: tickOfBytes(price_tick), amount: BigInt(amount) };
      yield { atSeconds: -created_neg, ...counted, demand: demand === null ? undefined : BigInt(demand) };
    }
    last = rows.length < PAGE_ROWS ? undefined : rows.at(-1);
    // SQLite runs in the process: without this, nothing else would until the end.
    await setImmediate();
  } while (last !== undefined);
}

interface PagePlace {
  readonly saleUuid: string;
  readonly classes: readonly CountingClass[];
  readonly fromSeconds: bigint;
  /** The row after which the page begins; undefined for the first page. */
  readonly last: StoredRow | undefined;
}

/** Reads a page of rows by time descending, then by commitment ID. Each class is a statement of its own: its rows are sorted in an index. */
async function readPage(
  snapshot: Snapshot,
  { saleUuid, classes, fromSeconds, last }: PagePlace,
): Promise<readonly StoredRow[]> {
  const found = await snapshot.read(async (transaction) => {
    const rows: CommitmentColumns[] = [];
    for (const countingClass of classes) {
      const page = transaction
        .selectFrom("commitment")
        .select(COLUMNS)
        .where("sale", "=", bytesOfHex(saleUuid))
        .where("standing", "=", countingClass)
        .where("created_neg", "<=", -fromSeconds)
        .orderBy("created_neg")
        .orderBy("commitment_id")
        .limit(PAGE_ROWS);
      rows.push(...(await (last === undefined ? page : page.where(isAfter(last))).execute()));
    }
    return rows;
  });
  return found
    .map((row) => ({ ...row, created_neg: bigintOf(row.created_neg) }))
    .sort((a, b) => Number(a.created_neg - b.created_neg) || Buffer.compare(a.commitment_id, b.commitment_id))
    .slice(0, PAGE_ROWS);
}

/** The first condition follows from the second, by which SQLite can't tell where in its index the page begins. */
function isAfter({ created_neg, commitment_id }: StoredRow) {
  return ({ eb, and, or }: ExpressionBuilder<CommitmentsSchema, "commitment">) =>
    and([
      eb("created_neg", ">=", created_neg),
      or([
        eb("created_neg", ">", created_neg),
        and([eb("created_neg", "=", created_neg), eb("commitment_id", ">", commitment_id)]),
      ]),
    ]);
}
