import { sql } from "kysely";
import { bytesOfHex } from "../../shared/hex.ts";
import type { Sale, SaleDefinition } from "../domain/sale.ts";
import type { SaleState } from "../domain/sale-state.ts";
import { saleUpdatedEvent } from "../sale-updated-event.ts";
import { bigintOf } from "./encoding.ts";
import { recordHistory } from "./history.ts";
import { enqueueUpdate } from "./outbox.ts";
import { decodeSale, decodeSaleState, encodeSaleState, saleNotFound, type Tx } from "./sale-rows.ts";
import type { CommitmentsDatabase } from "./schema.ts";
import { clearingTickOf, sumOfActive } from "./tick-nodes.ts";

export interface LockedSale {
  readonly transaction: Tx;
  readonly sale: Sale;
  readonly state: SaleState;
  /** The database's clock, in milliseconds since 1970. */
  readonly nowMillis: bigint;
}

/** A change that readers can see. */
export interface SaleUpdate {
  /** The definition from now on, where it changes too. */
  readonly definition?: SaleDefinition;
}

export interface SaleChange<Result> {
  /** The state to store; its revision and clearing tick are decided here. */
  readonly state: SaleState;
  /** Absent: the change is one that no reader can see, and makes no revision. */
  readonly update?: SaleUpdate;
  /** What the caller gets, made from the state as it is stored. */
  readonly result: (state: SaleState) => Result;
}

/** Nothing is to change after all. */
export interface NoChange<Result> {
  readonly unchanged: Result;
}

/** Rolls a transaction back that has nothing to commit: a commit would sync the lock's own trace to disk. */
class RollBack<Result> extends Error {
  readonly result: Result;

  constructor(result: Result) {
    super("nothing to commit");
    this.result = result;
  }
}

/**
 * The one way in which a sale changes. One transaction: the sale's row is locked by raising its revision before anything
 * is read, `change` decides and writes rows, and for a visible change the clearing price, the history and the outbox
 * follow. A `change` that throws leaves no trace.
 *
 * @throws ServiceError `not_found`, `unavailable`, and whatever `change` throws.
 */
export async function changeSale<Result>(
  database: CommitmentsDatabase,
  saleUuid: string,
  change: (locked: LockedSale) => Promise<SaleChange<Result> | NoChange<Result>>,
): Promise<Result> {
  const work = database.writeInTurn(saleUuid, async (transaction) => {
    const locked = await lockSale(database, transaction, saleUuid);
    const changed = await change(locked);
    if ("unchanged" in changed) throw new RollBack(changed.unchanged);
    const { state, update, result } = changed;
    const next = update === undefined ? state : await publish(database, locked, state, update);
    await transaction
      .updateTable("sale_state")
      .set(encodeSaleState(saleUuid, next))
      .where("sale", "=", bytesOfHex(saleUuid))
      .execute();
    return result(next);
  });
  return work.catch((error: unknown) => {
    if (error instanceof RollBack) return error.result as Result;
    throw error;
  });
}

async function lockSale(database: CommitmentsDatabase, transaction: Tx, saleUuid: string): Promise<LockedSale> {
  const key = bytesOfHex(saleUuid);
  const lock = await transaction
    .updateTable("sale_state")
    .set({ revision: sql<bigint>`revision + 1` })
    .where("sale", "=", key)
    .executeTakeFirst();
  if (lock.numUpdatedRows === 0n) throw saleNotFound(saleUuid);
  const row = await transaction
    .selectFrom("sale_state")
    .innerJoin("sale", "sale.sale", "sale_state.sale")
    .selectAll()
    .select(database.dialect.nowMillis.as("now_ms"))
    .where("sale_state.sale", "=", key)
    .executeTakeFirstOrThrow();
  const state = decodeSaleState(row);
  return {
    transaction,
    sale: decodeSale(row),
    state: { ...state, revision: state.revision - 1n },
    nowMillis: bigintOf(row.now_ms),
  };
}

async function publish(
  database: CommitmentsDatabase,
  { transaction, sale, state: before, nowMillis }: LockedSale,
  changed: SaleState,
  update: SaleUpdate,
): Promise<SaleState> {
  const definition = update.definition ?? sale.definition;
  const revision = before.revision + 1n;
  const clearing = await clearingTickOf(transaction, sale.uuid, definition, changed);
  const state: SaleState = { ...changed, ...clearing, revision };
  const figures = await sumOfActive(transaction, sale.uuid, definition, state);
  await recordHistory(database, transaction, { saleUuid: sale.uuid, nowMillis, ...figures, ...clearing });
  const { uuid: saleUuid } = sale;
  const event = saleUpdatedEvent({ saleUuid, nowMillis, definition, state, ...figures });
  await enqueueUpdate(transaction, { saleUuid, generation: state.generation, revision, nowMillis, event });
  return state;
}
