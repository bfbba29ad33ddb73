import { CompiledQuery } from "kysely";
import { inBatches } from "../../../common/platform/db/batches.ts";
import { BoundValues } from "../../../common/platform/db/sql/bound-values.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { marksRefunds } from "../../../common/sale/definition/contract-family.ts";
import { type SaleDefinition, sourceFamily } from "../../../common/sale/definition/sale.ts";
import { AmountNormaliser } from "../../../common/sale/figures/amount.ts";
import { activeClasses } from "../../../common/sale/figures/counting-class.ts";
import type { ClassedRecord } from "../../../common/sale/figures/position.ts";
import { allocationsOfRecords, allocationsOfRows } from "../../../common/sale/figures/position-allocations.ts";
import type { Allocation } from "../../../common/sale/record/allocation.ts";
import { walletsOf } from "../../../common/sale/record/commitment.ts";
import { type AllocationVersion, allocationOf } from "../base/allocation-rows.ts";
import { decodeSummed, selectSummed } from "../base/commitment-rows.ts";
import type { SaleWithState } from "../base/domain/sale-with-state.ts";
import { shownAllocations } from "../base/domain/shown-allocations.ts";
import { readWholeRows, requireWalletRows } from "../base/read-sale.ts";
import type { Tx } from "../base/sale-rows.ts";
import type { AllocationTable, CommitmentsDatabase } from "../base/schema.ts";
import { type WalletPage, walletPage } from "./wallet-page.ts";
import { type SummedRecord, type WalletSums, walletSums } from "./wallet-sums.ts";

/** The most rows by wallet, and bytes of amounts, that are read for a page: its cost depends neither on its place nor on the sale. */
const MAX_ROWS = 1_000;
const MAX_BYTES = 1024 * 1024;

/** The wallets of a page. */
interface WalletRange {
  readonly saleUuid: string;
  /** The wallet after which they begin; empty for the first page. */
  readonly after: string;
}

/** A page of what a settled sale accepts of each wallet, at one revision. */
export interface WalletAllocationsRead extends SaleWithState {
  /** By wallet ascending; undefined for one whose commitments are too much to be added up here. */
  readonly wallets: ReadonlyMap<string, WalletSums | undefined>;
  /** The wallet after which the next page begins; absent on the last page. */
  readonly next?: string;
}

/**
 * Reads what a settled sale accepts of wallets; nothing where allocations aren't known.
 *
 * @param limit the most wallets
 * @throws ServiceError `failed_precondition` before the sale is settled, and as `readPosition`
 */
export async function readWalletAllocations(
  database: CommitmentsDatabase,
  range: WalletRange,
  limit: number,
): Promise<WalletAllocationsRead> {
  const { dialect } = database;
  return database.snapshot(async (transaction) => {
    const { sale, state } = await readWholeRows(transaction, range.saleUuid);
    if (state.status !== "settled") throw new ServiceError("failed_precondition", `the sale is ${state.status}`);
    requireWalletRows(state);
    const shown = shownAllocations(state);
    if (shown === undefined) return { sale, state, wallets: new Map() };
    const { definition } = sale;
    const { rows } = await transaction.executeQuery(selectWalletRows(dialect, range));
    const page = walletPage(rows.map(walletRow), { wallets: limit, rows: MAX_ROWS, bytes: MAX_BYTES });
    const records = await readRecords(transaction, dialect, range.saleUuid, page);
    const version = { saleUuid: range.saleUuid, version: shown.version };
    const fed = definition.source ? undefined : await readFed(transaction, dialect, { range, version, page });
    const active = activeClasses(state, definition.cancelledKeepsAmounts);
    const facts = { definition, active, normaliser: new AmountNormaliser(definition) };
    const wallets = new Map<string, WalletSums | undefined>();
    for (const [wallet, ids] of page.wallets) {
      const own = ids?.flatMap((id) => records.get(id) ?? []).filter(({ record }) => names(record, wallet));
      // All its rows by wallet are what a process of an older version has left behind.
      if (own?.length === 0) continue;
      wallets.set(wallet, own && walletSums(wallet, own, allocationsOf(definition, wallet, own, fed), facts));
    }
    return { sale, state, wallets, ...(page.next !== undefined && { next: page.next }) };
  });
}

function names({ amounts }: SummedRecord, wallet: string): boolean {
  return walletsOf(amounts).includes(wallet);
}

/** @param fed what a feeder has set, by wallet; undefined where the contract says what it accepts */
function allocationsOf(
  { source }: Pick<SaleDefinition, "source">,
  wallet: string,
  own: readonly ClassedRecord<SummedRecord>[],
  fed: ReadonlyMap<string, readonly Allocation[]> | undefined,
) {
  const records = own.map(({ record }) => record);
  if (fed === undefined) return allocationsOfRecords(records, wallet, marksRefunds(sourceFamily(source)));
  const entities = new Set(records.map(({ entityId }) => entityId));
  return allocationsOfRows((fed.get(wallet) ?? []).filter(({ entityId }) => entities.has(entityId)));
}

interface WalletRowOfTable {
  readonly wallet: string;
  readonly commitment_id: Uint8Array;
  /** Null for a row by wallet whose commitment is gone. */
  readonly bytes: bigint | number | string | null;
}

function walletRow({ wallet, commitment_id, bytes }: WalletRowOfTable) {
  return { wallet, commitmentId: hexOfBytes(commitment_id), bytes: Number(bytes ?? 0) };
}

/** Builds the statement that reads the rows of a page, and one more. */
function selectWalletRows(dialect: SqlDialect, range: WalletRange): CompiledQuery<WalletRowOfTable> {
  const bound = new BoundValues(dialect);
  const length = "octet_length(amounts) + coalesce(octet_length(accepted), 0)";
  const page = rowsByWallet(bound, range, MAX_ROWS + 1);
  const join = `left join commitment on commitment.sale = ${bound.one(bytesOfHex(range.saleUuid))} and commitment.commitment_id = page.commitment_id`;
  const text = `select page.wallet, page.commitment_id, ${length} as bytes from ${page} ${join} order by page.wallet, page.commitment_id`;
  return CompiledQuery.raw(text, bound.parameters);
}

/** Returns the derived table of rows by wallet, whose limit is read before anything is joined. @param last the last wallet */
function rowsByWallet(bound: BoundValues, { saleUuid, after }: WalletRange, limit: number, last?: string): string {
  const begin = `sale = ${bound.one(bytesOfHex(saleUuid))} and wallet > ${bound.one(after)}`;
  const end = last === undefined ? "" : ` and wallet <= ${bound.one(last)}`;
  return `(select wallet, commitment_id from commitment_wallet where ${begin}${end} order by wallet, commitment_id limit ${limit}) as page`;
}

/** Reads each commitment of a page once, however many wallets it has. */
async function readRecords(transaction: Tx, dialect: SqlDialect, saleUuid: string, { wallets }: WalletPage) {
  const ids = [...new Set([...wallets.values()].flatMap((own) => own ?? []))];
  const records = new Map<string, ClassedRecord<SummedRecord>>();
  for (const batch of inBatches(ids)) {
    const { rows } = await transaction.executeQuery(selectSummed(dialect, saleUuid, batch));
    for (const row of rows) records.set(hexOfBytes(row.commitment_id), decodeSummed(row));
  }
  return records;
}

interface FedPage {
  readonly range: WalletRange;
  readonly version: AllocationVersion;
  readonly page: WalletPage;
}

/** Reads what a feeder has set for the wallets of a page that are added up. */
async function readFed(transaction: Tx, dialect: SqlDialect, { range, version, page }: FedPage) {
  const [last, own] = [...page.wallets].at(-1) ?? [];
  if (last === undefined || own === undefined) return new Map<string, readonly Allocation[]>();
  const { rows } = await transaction.executeQuery(selectFed(dialect, range, version, last));
  return Map.groupBy(rows.map(allocationOf), ({ wallet }) => wallet);
}

function selectFed(
  dialect: SqlDialect,
  range: WalletRange,
  { saleUuid, version }: AllocationVersion,
  last: string,
): CompiledQuery<AllocationTable> {
  const bound = new BoundValues(dialect);
  const page = rowsByWallet(bound, range, MAX_ROWS, last);
  const ofCommitment = `commitment.sale = ${bound.one(bytesOfHex(saleUuid))} and commitment.commitment_id = page.commitment_id`;
  const pairs = `(select distinct wallet, entity_id from ${page} inner join commitment on ${ofCommitment}) as pair`;
  const ofVersion = `allocation.sale = ${bound.one(bytesOfHex(saleUuid))} and allocation.version = ${bound.one(version)}`;
  const ofPair = "allocation.entity_id = pair.entity_id and allocation.wallet = pair.wallet";
  const text = `select allocation.* from ${pairs} inner join allocation on ${ofVersion} and ${ofPair}`;
  return CompiledQuery.raw(text, bound.parameters);
}
