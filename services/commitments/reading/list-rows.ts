import type { LongSnapshot } from "../../../common/platform/db/long-snapshot.ts";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import type { SaleDefinition } from "../../../common/sale/definition/sale.ts";
import { activeClasses } from "../../../common/sale/figures/counting-class.ts";
import type { ListedCommitment } from "../../../common/sale/figures/listed-commitment.ts";
import type { CommitmentRecord } from "../../../common/sale/record/commitment.ts";
import { decodeRecord } from "../base/commitment-rows.ts";
import { shownAllocations } from "../base/domain/shown-allocations.ts";
import { bigintOf } from "../base/encoding.ts";
import { readWholeRows } from "../base/read-sale.ts";
import { readSale, type Tx } from "../base/sale-rows.ts";
import type { CommitmentsDatabase, CommitmentsSchema, Int64 } from "../base/schema.ts";

/**
 * Lists commitments of a sale, of all counting classes, by commitment ID ascending.
 *
 * @param after the commitment ID after which the page begins; empty for the first page
 * @throws ServiceError `not_found`, `unavailable`.
 */
export async function listCommitments(
  database: CommitmentsDatabase,
  saleUuid: string,
  after: string,
  limit: number,
): Promise<readonly ListedCommitment[]> {
  return database.snapshot(async (transaction) => {
    const { sale, state } = await readWholeRows(transaction, saleUuid);
    return readRowsAfter(transaction, saleUuid, {
      active: activeClasses(state, sale.definition.cancelledKeepsAmounts),
      after,
      limit,
    });
  });
}

interface PageOptions {
  readonly active: readonly bigint[];
  readonly after: string;
  readonly limit: number;
}

async function readRowsAfter(transaction: Tx, saleUuid: string, { active, after, limit }: PageOptions) {
  const rows = await transaction
    .selectFrom("commitment")
    .selectAll()
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("commitment_id", ">", bytesOfHex(after))
    .orderBy("commitment_id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    record: decodeRecord(row),
    active: active.includes(bigintOf(row.standing)),
    amount: BigInt(row.amount),
  }));
}

/** A sale's commitments at one revision. */
export interface WholeList {
  readonly definition: SaleDefinition;
  readonly generation: string;
  readonly revision: bigint;
  /** The number of commitments. */
  readonly count: bigint;
  /** Whether the commitments say what the source accepts of them. */
  readonly saysAccepted: boolean;
  /** Returns the next page, as `listCommitments` does. */
  page(after: string, limit: number): Promise<readonly ListedCommitment[]>;
}

/** Begins to list all commitments of a sale. @throws ServiceError `not_found`, `unavailable`. */
export async function openList(snapshot: LongSnapshot<CommitmentsSchema>, saleUuid: string): Promise<WholeList> {
  return snapshot.read(async (transaction) => {
    const { sale, state } = await readWholeRows(transaction, saleUuid);
    const active = activeClasses(state, sale.definition.cancelledKeepsAmounts);
    const { count } = await transaction
      .selectFrom("commitment")
      .select((query) => query.fn.countAll<Int64>().as("count"))
      .where("sale", "=", bytesOfHex(saleUuid))
      .executeTakeFirstOrThrow();
    return {
      definition: sale.definition,
      generation: state.generation,
      revision: state.revision,
      count: BigInt(count),
      saysAccepted: sale.definition.source !== undefined && shownAllocations(state) !== undefined,
      page: (after, limit) => snapshot.read((tx) => readRowsAfter(tx, saleUuid, { active, after, limit })),
    };
  });
}

export interface StoredDigest {
  readonly sourceIndex: bigint;
  readonly commitmentId: string;
  readonly digest: string;
}

export interface DigestPage {
  readonly digests: readonly StoredDigest[];
  /** The index at which the next page begins, if there is one. */
  readonly nextIndex?: bigint;
}

/**
 * Lists the digests of the rows with source indexes in [`from`, `to`), ascending; about `limit` of them. Rows with the same
 * index, as there may be while a change set is open, stay together on one page.
 *
 * @throws ServiceError `not_found`.
 */
export async function listDigests(
  database: CommitmentsDatabase,
  saleUuid: string,
  from: bigint,
  to: bigint,
  limit: number,
): Promise<DigestPage> {
  return database.snapshot(async (transaction) => {
    await readSale(transaction, saleUuid);
    const page = await readDigests(transaction, saleUuid, from, to, limit + 1);
    const next = page[limit]?.sourceIndex;
    if (next === undefined) return { digests: page };
    const whole = page.filter(({ sourceIndex }) => sourceIndex < next);
    if (whole.length > 0) return { digests: whole, nextIndex: next };
    return { digests: await readDigests(transaction, saleUuid, next, next + 1n), nextIndex: next + 1n };
  });
}

async function readDigests(
  transaction: Tx,
  saleUuid: string,
  from: bigint,
  to: bigint,
  limit?: number,
): Promise<readonly StoredDigest[]> {
  const query = transaction
    .selectFrom("commitment")
    .select(["source_index", "commitment_id", "digest"])
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("source_index", ">=", from)
    .where("source_index", "<", to)
    .orderBy("source_index")
    .orderBy("commitment_id");
  const rows = await (limit === undefined ? query : query.limit(limit)).execute();
  return rows.map((row) => ({
    sourceIndex: bigintOf(row.source_index ?? 0n),
    commitmentId: hexOfBytes(row.commitment_id),
    digest: hexOfBytes(row.digest),
  }));
}

/** Reads the records with these commitment IDs, in any order; unknown IDs are left out. */
export async function readRecords(
  database: CommitmentsDatabase,
  saleUuid: string,
  commitmentIds: readonly string[],
): Promise<readonly CommitmentRecord[]> {
  const rows = await database.read((connection) =>
    connection
      .selectFrom("commitment")
      .selectAll()
      .where("sale", "=", bytesOfHex(saleUuid))
      .where("commitment_id", "in", commitmentIds.map(bytesOfHex))
      .execute(),
  );
  return rows.map(decodeRecord);
}
