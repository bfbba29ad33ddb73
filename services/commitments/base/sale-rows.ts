import { randomUUID } from "node:crypto";
import { CompiledQuery, type Kysely, type Transaction } from "kysely";
import { LRUCache } from "lru-cache";
import { atMost } from "../../../common/platform/cache/at-most.ts";
import { BoundValues } from "../../../common/platform/db/sql/bound-values.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { Sale, SaleDefinition } from "../../../common/sale/definition/sale.ts";
import type { SaleStage } from "../../../common/sale/state/stage.ts";
import type { SaleStatus } from "../../../common/sale/state/status.ts";
import { allocationsOfText, textOfAllocations } from "./allocation-rows.ts";
import { decodeDefinition } from "./definition-codec.ts";
import { NONE_FILLED, type OpenChangeSet, type SaleState, type SourcePosition } from "./domain/sale-state.ts";
import { bigintOf, bytesOfTick, tickOfBytes } from "./encoding.ts";
import type { CommitmentsSchema, Int64, SaleStateTable, SaleTable } from "./schema.ts";

export type Tx = Transaction<CommitmentsSchema>;

export function saleNotFound(saleUuid: string): ServiceError {
  return new ServiceError("not_found", `there is no sale ${saleUuid}`);
}

export function decodeSale(row: SaleTable): Sale {
  return {
    uuid: uuidFromBytes(row.sale),
    tenancy: row.tenancy === "live" ? "live" : "test",
    definition: definitionOf(row.definition),
    definitionVersion: bigintOf(row.definition_version),
    ownerAccountUuid: row.owner === null ? "" : uuidFromBytes(row.owner),
    createdAtMillis: bigintOf(row.created_at_ms),
  };
}

const WRITE_TOKEN_BYTES = 8;

/** Decoded definitions by their text: they change seldom, and are read all the time. */
const definitions = new LRUCache<string, SaleDefinition>(atMost(256));

/** Decodes a definition. While it is cached, the same text gives the same object, so that `===` shows that nothing changed. */
function definitionOf(text: string): SaleDefinition {
  const cached = definitions.get(text);
  if (cached !== undefined) return cached;
  const definition = decodeDefinition(text);
  definitions.set(text, definition);
  return definition;
}

export function decodeSaleState(row: SaleStateTable): SaleState {
  return {
    generation: hexOfBytes(row.generation),
    revision: bigintOf(row.revision),
    status: row.status as SaleStatus,
    ...(row.stage === null ? {} : { stage: row.stage as SaleStage }),
    settleCount: bigintOf(row.settle_count),
    hasSnapshot: Number(row.has_snapshot) === 1,
    ...(row.clearing_tick === null ? {} : { clearingTick: tickOfBytes(row.clearing_tick) }),
    ...decodeSourcePosition(row),
    ...decodeChangedPosition(row),
    lease: {
      holder: row.lease_holder ?? "",
      epoch: bigintOf(row.lease_epoch),
      untilMillis: bigintOf(row.lease_until_ms),
    },
    ...(row.change_set === null ? {} : { changeSet: decodeChangeSet(row, row.change_set) }),
    walletsFilledTo: decodeWalletsFilledTo(row),
    ...(row.allocations === null ? {} : { allocations: allocationsOfText(row.allocations) }),
    ...decodeLateRows(row),
  };
}

/** Begins again where a process of an older version, which writes no rows by wallet, has made the last change. */
function decodeWalletsFilledTo({ write_token, wallets_token, wallets_filled_to }: SaleStateTable): string {
  if (write_token === null || wallets_token === null || wallets_filled_to === null) return NONE_FILLED;
  return hexOfBytes(write_token) === hexOfBytes(wallets_token) ? hexOfBytes(wallets_filled_to) : NONE_FILLED;
}

function decodeLateRows({ late_from_s, late_revision }: SaleStateTable): Pick<SaleState, "lateRows"> {
  if (late_from_s === null || late_revision === null) return {};
  return { lateRows: { fromSeconds: bigintOf(late_from_s), revision: bigintOf(late_revision) } };
}

/** Decodes the position of a sale's source, if it has one. */
export function decodeSourcePosition({
  source_height,
  source_hash,
}: Pick<SaleStateTable, "source_height" | "source_hash">): Pick<SaleState, "sourcePosition"> {
  if (source_height === null) return {};
  return { sourcePosition: positionOf(source_height, source_hash) };
}

function decodeChangedPosition({ changed_height, changed_hash }: SaleStateTable): Pick<SaleState, "changedPosition"> {
  if (changed_height === null) return {};
  return { changedPosition: positionOf(changed_height, changed_hash) };
}

function positionOf(height: Int64, hash: Uint8Array | null): SourcePosition {
  return { height: bigintOf(height), hash: hexOfBytes(hash ?? EMPTY) };
}

function decodeChangeSet(row: SaleStateTable, uuid: Uint8Array): OpenChangeSet {
  const stage = row.change_set_stage === null ? {} : { stage: row.change_set_stage as SaleStage };
  return { uuid: uuidFromBytes(uuid), nextPart: Number(row.change_set_next_part), ...stage };
}

const EMPTY = new Uint8Array(0);

/**
 * Makes the token that a change writes to the sale's row, in hex. By it a process that has read the row earlier recognises
 * the change.
 */
export function newWriteToken(): string {
  // The last 62 random bits of a UUID: Node makes UUIDs from a pool of randomness, much faster than eight random bytes.
  return hexOfBytes(bytesOfHex(randomUUID()).subarray(-WRITE_TOKEN_BYTES));
}

/** Encodes a state for its row. @param writeToken see `newWriteToken` */
export function encodeSaleState(saleUuid: string, state: SaleState, writeToken: string): SaleStateTable {
  return {
    sale: bytesOfHex(saleUuid),
    generation: bytesOfHex(state.generation),
    revision: state.revision,
    status: state.status,
    stage: state.stage ?? null,
    settle_count: state.settleCount,
    has_snapshot: state.hasSnapshot ? 1 : 0,
    clearing_tick: state.clearingTick === undefined ? null : bytesOfTick(state.clearingTick),
    source_height: state.sourcePosition?.height ?? null,
    source_hash: state.sourcePosition === undefined ? null : bytesOfHex(state.sourcePosition.hash),
    changed_height: state.changedPosition?.height ?? null,
    changed_hash: state.changedPosition === undefined ? null : bytesOfHex(state.changedPosition.hash),
    lease_holder: state.lease.holder === "" ? null : state.lease.holder,
    lease_epoch: state.lease.epoch,
    lease_until_ms: state.lease.untilMillis,
    change_set: state.changeSet === undefined ? null : bytesOfHex(state.changeSet.uuid),
    change_set_next_part: BigInt(state.changeSet?.nextPart ?? 0),
    change_set_stage: state.changeSet?.stage ?? null,
    write_token: bytesOfHex(writeToken),
    wallets_token: bytesOfHex(writeToken),
    wallets_filled_to: bytesOfHex(state.walletsFilledTo),
    allocations: textOfAllocations(state.allocations),
    late_from_s: state.lateRows?.fromSeconds ?? null,
    late_revision: state.lateRows?.revision ?? null,
  };
}

/** The rows of a sale and its state, with the database's clock. */
export type SaleAndState = SaleTable & SaleStateTable & { readonly now_ms: Int64 };

/** Builds the statement that reads a `SaleAndState`. */
export function selectSaleAndState(dialect: SqlDialect, saleUuid: string): CompiledQuery<SaleAndState> {
  const bound = new BoundValues(dialect);
  const columns = `sale_state.*, sale.*, ${dialect.nowMillisText} as now_ms`;
  const tables = "sale_state inner join sale on sale.sale = sale_state.sale";
  const text = `select ${columns} from ${tables} where sale_state.sale = ${bound.one(bytesOfHex(saleUuid))}`;
  return CompiledQuery.raw(text, bound.parameters);
}

/** Reads a sale without its state. @throws ServiceError `not_found`. */
export async function readSale(query: Kysely<CommitmentsSchema>, saleUuid: string): Promise<Sale> {
  const row = await query.selectFrom("sale").selectAll().where("sale", "=", bytesOfHex(saleUuid)).executeTakeFirst();
  if (row === undefined) throw saleNotFound(saleUuid);
  return decodeSale(row);
}
