import type { CompiledQuery } from "kysely";
import { selectByKeys } from "../../../common/platform/db/sql/by-keys.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import type { ResultsOf } from "../../../common/platform/db/sql/statement-batch.ts";
import { tableTarget } from "../../../common/platform/db/sql/table-target.ts";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { type TickWidth, tickWidth } from "../../../common/sale/definition/tick-width.ts";
import type { SaleSnapshot } from "../../../common/sale/figures/commitment-data.ts";
import { activeClasses, type CountingClass } from "../../../common/sale/figures/counting-class.ts";
import { LIST_LIMIT, latestOf } from "../../../common/sale/figures/public-list.ts";
import { amountBelow } from "../../../common/sale/figures/tick-node.ts";
import { rootKey } from "../../../common/sale/figures/tick-tree.ts";
import { decodeRecord, selectLatest } from "./commitment-rows.ts";
import type { SaleState } from "./domain/sale-state.ts";
import { amountsOfText, textOfAmounts } from "./encoding.ts";
import type { LastSeenSale } from "./last-seen-sales.ts";
import { type NodeRow, tickNodeOf } from "./loaded-nodes.ts";
import { selectNodes, sumOfRoots } from "./sale-nodes.ts";
import type { CommitmentTable, FrozenBodyTable } from "./schema.ts";

const FROZEN_TARGET = tableTarget<FrozenBodyTable>("frozen_body", { sale: "key", piece: "key", body: "value" });
const FROZEN_COLUMNS = ["piece", "body"] as const;

type FrozenRow = Pick<FrozenBodyTable, (typeof FROZEN_COLUMNS)[number]>;

/** Part of a sale's rows that a snapshot is made of: the active counting classes, and the amounts below an auction's floor. */
export interface SnapshotSelection {
  readonly width: TickWidth;
  readonly classes: readonly CountingClass[];
  /** Undefined for a sale that is no auction. */
  readonly floorTicks: bigint | undefined;
}

/** Returns what is to be read of a sale's rows. */
export function snapshotSelection({ definition, state }: LastSeenSale): SnapshotSelection {
  const { pricing, cancelledKeepsAmounts } = definition;
  const floorTicks = pricing.kind === "auction" ? pricing.floorTicks : undefined;
  return { width: tickWidth(definition), classes: activeClasses(state, cancelledKeepsAmounts), floorTicks };
}

/**
 * Builds the statements that read a snapshot from the rows of counting classes, for `snapshotOfRows`. While a change set is
 * open readers must not see it: they get the frozen body (`selectFrozen`).
 */
export function selectRows(
  dialect: SqlDialect,
  saleUuid: string,
  { width, classes, floorTicks }: SnapshotSelection,
): readonly [CompiledQuery<NodeRow>, ...CompiledQuery<CommitmentTable>[]] {
  return [
    selectSums(dialect, saleUuid, { width, classes, floorTicks }),
    ...classes.map((countingClass) => selectLatest(dialect, saleUuid, countingClass, LIST_LIMIT)),
  ];
}

/** Builds the statement that reads the sums of a snapshot, for `sumsOfRows`. */
export function selectSums(
  dialect: SqlDialect,
  saleUuid: string,
  { width, classes, floorTicks }: SnapshotSelection,
): CompiledQuery<NodeRow> {
  const keys = [rootKey(width)];
  return selectNodes(dialect, saleUuid, { width, classes, keys, childrenOf: [], below: floorTicks });
}

/** Decodes the rows of `selectSums`. */
export function sumsOfRows(
  { clearingTick }: SaleState,
  { width, floorTicks }: Pick<SnapshotSelection, "width" | "floorTicks">,
  rows: readonly NodeRow[],
): Omit<SaleSnapshot, "latest"> {
  const { amount, commitments } = sumOfRoots(rows);
  const belowFloor = floorTicks === undefined ? 0n : amountBelow(width, floorTicks, rows.map(tickNodeOf));
  return {
    total: amount,
    count: commitments,
    ...(clearingTick === undefined ? {} : { clearingTick }),
    ...(belowFloor === 0n ? {} : { belowFloor }),
  };
}

/** Decodes the results of `selectRows`. */
export function snapshotOfRows(
  state: SaleState,
  selection: SnapshotSelection,
  [nodes, ...latest]: ResultsOf<ReturnType<typeof selectRows>>,
): SaleSnapshot {
  const records = latest.flatMap(({ rows }) => rows.map(decodeRecord));
  return { latest: latestOf(records), ...sumsOfRows(state, selection, nodes.rows) };
}

/** Builds the statement that reads what readers get while a change set is open, for `snapshotOfFrozen`. */
export function selectFrozen(dialect: SqlDialect, saleUuid: string): CompiledQuery<FrozenRow> {
  const rows = { columns: FROZEN_COLUMNS, where: {}, key: "sale", orderBy: ["piece"] } as const;
  return selectByKeys(dialect, FROZEN_TARGET, rows, [bytesOfHex(saleUuid)]);
}

/** Decodes the rows of `selectFrozen`. */
export function snapshotOfFrozen(rows: readonly FrozenRow[]): SaleSnapshot {
  return decodeSnapshot(rows.map(({ body }) => body).join(""));
}

interface StoredRecord {
  readonly id: string;
  readonly entity: string;
  readonly created: string;
  readonly ticks: string;
  readonly lockup: boolean;
  readonly refunded: boolean;
  readonly amounts: string;
  readonly extra: string;
}

interface StoredSnapshot {
  readonly total: string;
  readonly count: string;
  readonly clearingTick?: string;
  readonly belowFloor?: string;
  readonly latest: readonly StoredRecord[];
}

/** Encodes a snapshot for `frozen_body`; `snapshotOfFrozen` decodes it. */
export function encodeSnapshot({ latest, total, count, clearingTick, belowFloor }: SaleSnapshot): string {
  const stored: StoredSnapshot = {
    total: total.toString(),
    count: count.toString(),
    ...(clearingTick === undefined ? {} : { clearingTick: clearingTick.toString() }),
    ...(belowFloor === undefined ? {} : { belowFloor: belowFloor.toString() }),
    latest: latest.map((record) => ({
      id: record.commitmentId,
      entity: record.entityId,
      created: record.createdAtSeconds.toString(),
      ticks: record.priceTicks.toString(),
      lockup: record.lockup,
      refunded: record.refunded,
      amounts: textOfAmounts(record.amounts),
      extra: hexOfBytes(record.extraData),
    })),
  };
  return JSON.stringify(stored);
}

function decodeSnapshot(text: string): SaleSnapshot {
  const { total, count, clearingTick, belowFloor, latest }: StoredSnapshot = JSON.parse(text);
  return {
    total: BigInt(total),
    count: BigInt(count),
    ...(clearingTick === undefined ? {} : { clearingTick: BigInt(clearingTick) }),
    ...(belowFloor === undefined ? {} : { belowFloor: BigInt(belowFloor) }),
    latest: latest.map((record) => ({
      commitmentId: record.id,
      entityId: record.entity,
      createdAtSeconds: BigInt(record.created),
      priceTicks: BigInt(record.ticks),
      lockup: record.lockup,
      refunded: record.refunded,
      amounts: amountsOfText(record.amounts),
      extraData: bytesOfHex(record.extra),
    })),
  };
}
