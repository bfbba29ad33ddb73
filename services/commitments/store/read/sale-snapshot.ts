import { CompiledQuery, type Selectable } from "kysely";
import { selectByKeys } from "../../../shared/db/sql/by-keys.ts";
import type { SqlDialect } from "../../../shared/db/sql/dialect.ts";
import { executeBatch } from "../../../shared/db/sql/statement-batch.ts";
import { bytesOfHex, hexOfBytes } from "../../../shared/encoding/hex.ts";
import { activeStandings, type Standing } from "../../domain/figures/counting-class.ts";
import { compareLatest, LATEST_LIMIT, type SaleSnapshot } from "../../domain/figures/sale-snapshot.ts";
import { ROOT_KEY } from "../../domain/figures/tick-tree.ts";
import type { Sale } from "../../domain/sale/sale.ts";
import type { SaleState } from "../../domain/sale/sale-state.ts";
import { decodeRecord, selectLatest } from "../sql/commitment-rows.ts";
import { amountsOfText, textOfAmounts } from "../sql/encoding.ts";
import { selectNodes, sumOfNodes } from "../sql/sale-nodes.ts";
import type { Tx } from "../sql/sale-rows.ts";
import type { CommitmentTable } from "../sql/schema.ts";

/** Of a frozen body in one row. */
const PIECE_CHARACTERS = 1_000_000;

/** Reads what the rows of standings show, for `snapshotOfRows`. While a change set is open readers may not see it: see `selectFrozen`. */
export function selectRows(
  dialect: SqlDialect,
  saleUuid: string,
  standings: readonly Standing[],
): readonly CompiledQuery[] {
  return [
    selectNodes(dialect, saleUuid, { standings, keys: [ROOT_KEY], childrenOf: [] }),
    ...standings.map((standing) => selectLatest(dialect, saleUuid, standing, LATEST_LIMIT)),
  ];
}

/** @param rows that each of `selectRows` has found, of the standings that are active */
export function snapshotOfRows(
  { clearingTick }: SaleState,
  [nodes = [], ...latest]: readonly (readonly unknown[])[],
): SaleSnapshot {
  const { amount, commitments } = sumOfNodes(nodes);
  const records = latest.flatMap((rows) => (rows as readonly Selectable<CommitmentTable>[]).map(decodeRecord));
  return {
    latest: records.sort(compareLatest).slice(0, LATEST_LIMIT),
    total: amount,
    count: commitments,
    ...(clearingTick === undefined ? {} : { clearingTick }),
  };
}

/** What the rows show now, within a change of the sale. */
export async function readRowsSnapshot(
  transaction: Tx,
  dialect: SqlDialect,
  { uuid, definition }: Sale,
  state: SaleState,
): Promise<SaleSnapshot> {
  const standings = activeStandings(state, definition.cancelledKeepsAmounts);
  const results = await executeBatch(transaction, dialect, selectRows(dialect, uuid, standings));
  return snapshotOfRows(
    state,
    results.map(({ rows }) => rows),
  );
}

/** Keeps what readers see now for as long as a change set is open. */
export async function freeze(transaction: Tx, saleUuid: string, snapshot: SaleSnapshot): Promise<void> {
  const body = encodeSnapshot(snapshot);
  for (let from = 0, piece = 0n; from < body.length; from += PIECE_CHARACTERS, piece += 1n) {
    await transaction
      .insertInto("frozen_body")
      .values({ sale: bytesOfHex(saleUuid), piece, body: body.slice(from, from + PIECE_CHARACTERS) })
      .execute();
  }
}

/** Reads what `freeze` has kept, for `snapshotOfFrozen`. */
export function selectFrozen(dialect: SqlDialect, saleUuid: string): CompiledQuery {
  const frozen = { table: "frozen_body", columns: ["body"], where: {}, key: "sale" };
  const { sql: text, parameters } = selectByKeys(dialect, frozen, [bytesOfHex(saleUuid)]);
  return CompiledQuery.raw(`${text} order by piece`, [...parameters]);
}

export function snapshotOfFrozen(rows: readonly unknown[]): SaleSnapshot {
  return decodeSnapshot((rows as readonly { readonly body: string }[]).map(({ body }) => body).join(""));
}

export async function unfreeze(transaction: Tx, saleUuid: string): Promise<void> {
  await transaction.deleteFrom("frozen_body").where("sale", "=", bytesOfHex(saleUuid)).execute();
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
  readonly latest: readonly StoredRecord[];
}

function encodeSnapshot({ latest, total, count, clearingTick }: SaleSnapshot): string {
  const stored: StoredSnapshot = {
    total: total.toString(),
    count: count.toString(),
    ...(clearingTick === undefined ? {} : { clearingTick: clearingTick.toString() }),
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
  const { total, count, clearingTick, latest }: StoredSnapshot = JSON.parse(text);
  return {
    total: BigInt(total),
    count: BigInt(count),
    ...(clearingTick === undefined ? {} : { clearingTick: BigInt(clearingTick) }),
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
