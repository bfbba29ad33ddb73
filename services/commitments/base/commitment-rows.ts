import { type CompiledQuery, sql } from "kysely";
import { BATCH_SIZE, inBatches } from "../../../common/platform/db/batches.ts";
import { deleteByKeys, selectByKeys } from "../../../common/platform/db/sql/by-keys.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { executeInOrder } from "../../../common/platform/db/sql/execute-in-order.ts";
import { HexBytes, hexBytes, type StatementRow } from "../../../common/platform/db/sql/hex-bytes.ts";
import { tableTarget, withoutValue } from "../../../common/platform/db/sql/table-target.ts";
import { insertStatement, upsertStatement } from "../../../common/platform/db/sql/upsert.ts";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import type { CountingClass } from "../../../common/sale/figures/counting-class.ts";
import type { CommitmentRecord } from "../../../common/sale/record/commitment.ts";
import type { CommitmentRow, StoredCommitment } from "./domain/stored-commitment.ts";
import { amountsOfText, bigintOf, bytesOfTick, textOfAmounts, tickOfBytes, walletsOfText } from "./encoding.ts";
import type { Tx } from "./sale-rows.ts";
import type { CommitmentTable } from "./schema.ts";

/** The approximate bytes of amounts and extra data in one statement: well below any `max_allowed_packet`. */
const STATEMENT_BYTES = 2 * 1024 * 1024;

const COMMITMENT_TARGET = tableTarget<CommitmentTable>("commitment", {
  sale: "key",
  commitment_id: "key",
  entity_id: "value",
  created_neg: "value",
  price_tick: "value",
  lockup: "value",
  refunded: "value",
  standing: "value",
  amount: "value",
  amounts: "value",
  extra_data: "value",
  source_index: "value",
  digest: "value",
  accepted: "value",
  demand: "value",
});
const WITHOUT_DEMAND = withoutValue(COMMITMENT_TARGET, "demand");

/** The columns of a commitment, for `decodeRecord`. */
export const COMMITMENT_COLUMNS = COMMITMENT_TARGET.columns;

/** Reads those of `commitmentIds` that are stored, by ID. */
export async function readStored(
  dialect: SqlDialect,
  transaction: Tx,
  saleUuid: string,
  commitmentIds: readonly string[],
): Promise<ReadonlyMap<string, StoredCommitment>> {
  const stored = new Map<string, StoredCommitment>();
  for (const ids of inBatches(commitmentIds)) {
    const { rows } = await transaction.executeQuery(selectStored(dialect, saleUuid, ids));
    for (const [id, commitment] of storedOf(rows)) stored.set(id, commitment);
  }
  return stored;
}

/** Builds the statement that reads which of 1 to `BATCH_SIZE` commitments are stored, for `storedOf`. */
export function selectStored(
  dialect: SqlDialect,
  saleUuid: string,
  commitmentIds: readonly string[],
): CompiledQuery<StoredRow> {
  const rows = { columns: STORED_COLUMNS, where: { sale: bytesOfHex(saleUuid) }, key: "commitment_id" } as const;
  return selectByKeys(dialect, COMMITMENT_TARGET, rows, commitmentIds.map(bytesOfHex));
}

/** Decodes the rows of `selectStored`, by commitment ID. */
export function storedOf(rows: readonly StoredRow[]): ReadonlyMap<string, StoredCommitment> {
  return new Map(rows.map((row) => [hexOfBytes(row.commitment_id), decodeStored(row)]));
}

const STORED_COLUMNS = [
  "commitment_id",
  "entity_id",
  "price_tick",
  "standing",
  "amount",
  "amounts",
  "digest",
  "source_index",
  "accepted",
  "demand",
] as const;

export type StoredRow = Pick<CommitmentTable, (typeof STORED_COLUMNS)[number]>;

const SUMMED_COLUMNS = [
  "commitment_id",
  "entity_id",
  "price_tick",
  "refunded",
  "standing",
  "amounts",
  "accepted",
] as const;

type SummedRow = Pick<CommitmentTable, (typeof SUMMED_COLUMNS)[number]>;

/** Builds the statement that reads what is added up of 1 to `BATCH_SIZE` commitments, for `decodeSummed`. */
export function selectSummed(
  dialect: SqlDialect,
  saleUuid: string,
  commitmentIds: readonly string[],
): CompiledQuery<SummedRow> {
  const rows = { columns: SUMMED_COLUMNS, where: { sale: bytesOfHex(saleUuid) }, key: "commitment_id" } as const;
  return selectByKeys(dialect, COMMITMENT_TARGET, rows, commitmentIds.map(bytesOfHex));
}

export function decodeSummed(row: SummedRow) {
  const record = {
    commitmentId: hexOfBytes(row.commitment_id),
    entityId: hexOfBytes(row.entity_id),
    priceTicks: tickOfBytes(row.price_tick),
    refunded: Number(row.refunded) === 1,
    amounts: amountsOfText(row.amounts),
    ...acceptedOf(row),
  };
  return { record, countingClass: bigintOf(row.standing) };
}

function decodeStored(row: StoredRow): StoredCommitment {
  return {
    commitmentId: hexOfBytes(row.commitment_id),
    entityId: hexOfBytes(row.entity_id),
    priceTicks: tickOfBytes(row.price_tick),
    countingClass: bigintOf(row.standing),
    amount: BigInt(row.amount),
    digest: hexOfBytes(row.digest),
    wallets: walletsOfText(row.amounts),
    ...sourceIndexOf(row),
    ...acceptedOf(row),
    ...demandOf(row),
  };
}

function demandOf({ demand }: Pick<CommitmentTable, "demand">): Pick<CommitmentRecord, "demand"> {
  return demand === null ? {} : { demand: BigInt(demand) };
}

function acceptedOf({ accepted }: Pick<CommitmentTable, "accepted">): Pick<CommitmentRecord, "accepted"> {
  return accepted === null ? {} : { accepted: amountsOfText(accepted) };
}

function sourceIndexOf(row: Pick<CommitmentTable, "source_index">): { readonly sourceIndex?: bigint } {
  return row.source_index === null ? {} : { sourceIndex: bigintOf(row.source_index) };
}

/** The sale of rows that are written. */
export interface WrittenSale {
  readonly uuid: string;
  /** Whether its bids may have a demand. Those of another sale leave the column as it is. */
  readonly countsDemand: boolean;
}

/** Builds statements that insert commitments, or overwrite those with the same ID. */
export function upsertCommitments(
  dialect: SqlDialect,
  sale: WrittenSale,
  rows: readonly CommitmentRow[],
): Iterable<CompiledQuery> {
  return statementsOf(dialect, upsertStatement, sale, rows);
}

/** Builds statements that insert commitments. Each fails if one of its commitments is stored. */
export function insertCommitments(
  dialect: SqlDialect,
  sale: WrittenSale,
  rows: readonly CommitmentRow[],
): Iterable<CompiledQuery> {
  return statementsOf(dialect, insertStatement, sale, rows);
}

/**
 * Inserts commitments without reading whether one of them is stored.
 *
 * @returns false if one is: then nothing was inserted.
 */
export async function insertRows(
  dialect: SqlDialect,
  transaction: Tx,
  sale: WrittenSale,
  rows: readonly CommitmentRow[],
): Promise<boolean> {
  await sql`savepoint before_rows`.execute(transaction);
  try {
    await executeInOrder(transaction, insertCommitments(dialect, sale, rows));
    return true;
  } catch (error) {
    if (!dialect.isDuplicateKey(error)) throw error;
    await sql`rollback to savepoint before_rows`.execute(transaction);
    return false;
  }
}

function* statementsOf(
  dialect: SqlDialect,
  statementOf: typeof upsertStatement<CommitmentTable>,
  { uuid, countsDemand }: WrittenSale,
  rows: readonly CommitmentRow[],
): Generator<CompiledQuery> {
  const sale = hexBytes(uuid);
  const target = countsDemand ? COMMITMENT_TARGET : WITHOUT_DEMAND;
  let batch: StatementRow<CommitmentTable>[] = [];
  let bytes = 0;
  for (const row of rows) {
    const amounts = textOfAmounts(row.record.amounts);
    batch.push(encodeRow(sale, row, amounts));
    bytes += amounts.length * (row.record.accepted === undefined ? 1 : 2) + row.record.extraData.length * 2;
    if (batch.length < BATCH_SIZE && bytes < STATEMENT_BYTES) continue;
    yield statementOf(dialect, target, batch);
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield statementOf(dialect, target, batch);
}

function encodeRow(
  sale: HexBytes,
  { record, countingClass, amount, digest }: CommitmentRow,
  amounts: string,
): StatementRow<CommitmentTable> {
  return {
    sale,
    commitment_id: new HexBytes(record.commitmentId),
    entity_id: new HexBytes(record.entityId),
    created_neg: -record.createdAtSeconds,
    price_tick: bytesOfTick(record.priceTicks),
    lockup: record.lockup ? 1 : 0,
    refunded: record.refunded ? 1 : 0,
    standing: countingClass,
    amount: amount.toString(),
    amounts,
    extra_data: Buffer.from(record.extraData),
    source_index: record.sourceIndex ?? null,
    digest: new HexBytes(digest),
    accepted: record.accepted === undefined ? null : textOfAmounts(record.accepted),
    demand: record.demand?.toString() ?? null,
  };
}

/** Builds statements that delete commitments. */
export function* deleteCommitments(
  dialect: SqlDialect,
  saleUuid: string,
  commitmentIds: readonly string[],
): Generator<CompiledQuery> {
  const rows = { where: { sale: bytesOfHex(saleUuid) }, key: "commitment_id" } as const;
  for (const ids of inBatches(commitmentIds)) {
    yield deleteByKeys(dialect, COMMITMENT_TARGET, rows, ids.map(bytesOfHex));
  }
}

/**
 * Builds the statement that reads the latest commitments of a counting class, for `decodeRecord`: by creation time
 * descending, then by commitment ID ascending.
 */
export function selectLatest(
  dialect: SqlDialect,
  saleUuid: string,
  countingClass: CountingClass,
  limit: number,
): CompiledQuery<CommitmentTable> {
  const { columns } = COMMITMENT_TARGET;
  const order = { orderBy: ["created_neg", "commitment_id"], limit } as const;
  const rows = { columns, where: { sale: bytesOfHex(saleUuid) }, key: "standing", ...order } as const;
  return selectByKeys(dialect, COMMITMENT_TARGET, rows, [countingClass]);
}

export function decodeRecord(row: CommitmentTable): CommitmentRecord {
  return {
    commitmentId: hexOfBytes(row.commitment_id),
    entityId: hexOfBytes(row.entity_id),
    createdAtSeconds: -bigintOf(row.created_neg),
    priceTicks: tickOfBytes(row.price_tick),
    lockup: Number(row.lockup) === 1,
    refunded: Number(row.refunded) === 1,
    amounts: amountsOfText(row.amounts),
    extraData: row.extra_data,
    ...sourceIndexOf(row),
    ...acceptedOf(row),
    ...demandOf(row),
  };
}
