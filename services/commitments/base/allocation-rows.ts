import { CompiledQuery } from "kysely";
import { inBatches } from "../../../common/platform/db/batches.ts";
import { BoundValues } from "../../../common/platform/db/sql/bound-values.ts";
import { deleteByKeys, selectByKeys } from "../../../common/platform/db/sql/by-keys.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { HexBytes, hexBytes, type StatementRow } from "../../../common/platform/db/sql/hex-bytes.ts";
import { tableTarget } from "../../../common/platform/db/sql/table-target.ts";
import { insertStatement, upsertStatement } from "../../../common/platform/db/sql/upsert.ts";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import type { Allocation } from "../../../common/sale/record/allocation.ts";
import type { TokenAmounts } from "../../../common/sale/record/token-amounts.ts";
import type { OpenAllocationSet, SaleAllocations } from "./domain/sale-allocations.ts";
import type { AllocationTable } from "./schema.ts";

const ALLOCATION_TARGET = tableTarget<AllocationTable>("allocation", {
  sale: "key",
  version: "key",
  entity_id: "key",
  wallet: "key",
  token: "key",
  accepted: "value",
});

/** The rows of one sale that belong together. */
export interface AllocationVersion {
  readonly saleUuid: string;
  /** See `AllocationTable.version`. */
  readonly version: bigint;
}

/** The place of an allocation in the list of a sale. */
export type AllocationKey = Pick<Allocation, "entityId" | "wallet" | "token">;

/** Builds the statement that reads all that is accepted of 1 to `BATCH_SIZE` entities in a sale with a source. */
export function selectAllocationsOfEntities(
  dialect: SqlDialect,
  saleUuid: string,
  entityIds: readonly string[],
): CompiledQuery<AllocationTable> {
  const where = { sale: bytesOfHex(saleUuid), version: 0n };
  const rows = { columns: ALLOCATION_TARGET.columns, where, key: "entity_id" } as const;
  return selectByKeys(dialect, ALLOCATION_TARGET, rows, entityIds.map(bytesOfHex));
}

/** Builds the statements that store what an apply changes of a sale's allocations. */
export function* storeAllocations(
  dialect: SqlDialect,
  saleUuid: string,
  { cleared, added }: { readonly cleared: readonly string[]; readonly added: readonly Allocation[] },
): Generator<CompiledQuery> {
  const rows = { where: { sale: bytesOfHex(saleUuid), version: 0n }, key: "entity_id" } as const;
  for (const batch of inBatches(cleared)) yield deleteByKeys(dialect, ALLOCATION_TARGET, rows, batch.map(bytesOfHex));
  // A row may be there already: one that a process of an older version has left behind.
  yield* statementsOf(dialect, upsertStatement, { saleUuid, version: 0n }, added);
}

/** Builds the statements that insert allocations. Each fails if one of them is stored. */
export function insertAllocations(
  dialect: SqlDialect,
  version: AllocationVersion,
  allocations: readonly Allocation[],
): Iterable<CompiledQuery> {
  return statementsOf(dialect, insertStatement, version, allocations);
}

function* statementsOf(
  dialect: SqlDialect,
  statementOf: typeof upsertStatement<AllocationTable>,
  { saleUuid, version }: AllocationVersion,
  allocations: readonly Allocation[],
): Generator<CompiledQuery> {
  const sale = hexBytes(saleUuid);
  for (const batch of inBatches(allocations)) {
    const rows = batch.map(
      ({ entityId, wallet, token, accepted }): StatementRow<AllocationTable> => ({
        sale,
        version,
        entity_id: new HexBytes(entityId),
        wallet,
        token,
        accepted: accepted.toString(),
      }),
    );
    yield statementOf(dialect, ALLOCATION_TARGET, rows);
  }
}

/** Builds the statement that reads what is accepted of a wallet, for 1 to some hundreds of entities. */
export function selectAllocationsOf(
  dialect: SqlDialect,
  { saleUuid, version }: AllocationVersion,
  wallet: string,
  entityIds: readonly string[],
): CompiledQuery<AllocationTable> {
  const where = { sale: bytesOfHex(saleUuid), version, wallet };
  const rows = {
    columns: ALLOCATION_TARGET.columns,
    where,
    key: "entity_id",
    orderBy: ["entity_id", "token"],
  } as const;
  return selectByKeys(dialect, ALLOCATION_TARGET, rows, entityIds.map(bytesOfHex));
}

/** Builds the statement that reads a page of a sale's allocations. @param after undefined for the first page */
export function selectAllocations(
  dialect: SqlDialect,
  { saleUuid, version }: AllocationVersion,
  after: AllocationKey | undefined,
  limit: number,
): CompiledQuery<AllocationTable> {
  const bound = new BoundValues(dialect);
  const { columns } = ALLOCATION_TARGET;
  const isOfVersion = `sale = ${bound.one(bytesOfHex(saleUuid))} and version = ${bound.one(version)}`;
  const isAfter = after === undefined ? "" : ` and ${afterKey(bound, after)}`;
  const order = `order by entity_id, wallet, token limit ${limit}`;
  const text = `select ${columns.join(", ")} from allocation where ${isOfVersion}${isAfter} ${order}`;
  return CompiledQuery.raw(text, bound.parameters);
}

/** The first condition, which follows from the others, lets databases begin within the index. */
function afterKey(bound: BoundValues, { entityId, wallet, token }: AllocationKey): string {
  const entity = () => bound.one(bytesOfHex(entityId));
  const begin = `entity_id >= ${entity()}`;
  const isLaterEntity = `entity_id > ${entity()}`;
  const isLaterWallet = `wallet > ${bound.one(wallet)}`;
  const isLaterToken = `(wallet = ${bound.one(wallet)} and token > ${bound.one(token)})`;
  return `${begin} and (${isLaterEntity} or ${isLaterWallet} or ${isLaterToken})`;
}

export function allocationOf({ entity_id, wallet, token, accepted }: AllocationTable): Allocation {
  return { entityId: hexOfBytes(entity_id), wallet, token, accepted: BigInt(accepted) };
}

/** The column `sale_state.allocations`, whose numbers are decimal text. */
interface StoredAllocations {
  readonly version: string;
  readonly accepted: StoredAmounts;
  readonly stored?: StoredAmounts;
  readonly expected?: StoredAmounts;
  readonly open?: {
    readonly uuid: string;
    readonly version: string;
    readonly nextPart: number;
    readonly accepted: StoredAmounts;
  };
}

/** Token and amount of each. */
type StoredAmounts = readonly (readonly [string, string])[];

/** Encodes what is known of a sale's allocations; null for nothing. */
export function textOfAllocations(allocations: SaleAllocations | undefined): string | null {
  if (allocations === undefined) return null;
  const { version, accepted, stored, expected, open } = allocations;
  const row: StoredAllocations = {
    version: version.toString(),
    accepted: storedAmounts(accepted),
    ...(stored && { stored: storedAmounts(stored) }),
    ...(expected && { expected: storedAmounts(expected) }),
    ...(open && { open: { ...open, version: open.version.toString(), accepted: storedAmounts(open.accepted) } }),
  };
  return JSON.stringify(row);
}

/** Decodes `textOfAllocations`. */
export function allocationsOfText(text: string): SaleAllocations {
  const { version, accepted, stored, expected, open }: StoredAllocations = JSON.parse(text);
  return {
    version: BigInt(version),
    accepted: amountsOf(accepted),
    ...(stored && { stored: amountsOf(stored) }),
    ...(expected && { expected: amountsOf(expected) }),
    ...(open && { open: openSetOf(open) }),
  };
}

function openSetOf({ uuid, version, nextPart, accepted }: NonNullable<StoredAllocations["open"]>): OpenAllocationSet {
  return { uuid, version: BigInt(version), nextPart, accepted: amountsOf(accepted) };
}

function storedAmounts(amounts: TokenAmounts): StoredAmounts {
  return [...amounts].map(([token, amount]) => [token, amount.toString()]);
}

function amountsOf(stored: StoredAmounts): TokenAmounts {
  return new Map(stored.map(([token, amount]) => [token, BigInt(amount)]));
}
