import { CompiledQuery } from "kysely";
import { executeTogether } from "../../shared/db/together.ts";
import { updateStatement } from "../../shared/db/update-statement.ts";
import { bytesOfHex } from "../../shared/hex.ts";
import { recordedTrace } from "../../shared/tracing/tracing.ts";
import type { Sale, SaleDefinition } from "../domain/sale.ts";
import type { SaleState } from "../domain/sale-state.ts";
import { activeStandings } from "../domain/standing.ts";
import type { VisibleChanges } from "../domain/visible-changes.ts";
import { saleUpdatedEvent } from "../sale-updated-event.ts";
import { tellCommitted } from "./committed-updates.ts";
import { bigintOf } from "./encoding.ts";
import { upsertHistory } from "./history.ts";
import { rememberSale } from "./known-sales.ts";
import { insertUpdate } from "./outbox.ts";
import { PendingWrites } from "./pending-writes.ts";
import { type NodeSelection, SaleNodes, selectNodes } from "./sale-nodes.ts";
import {
  decodeSale,
  decodeSaleState,
  encodeSaleState,
  type SaleAndState,
  saleNotFound,
  selectSaleAndState,
  type Tx,
} from "./sale-rows.ts";
import type { CommitmentsDatabase } from "./schema.ts";
import { clearingTickOf } from "./tick-nodes.ts";
import type { UnpublishedUpdate } from "./unpublished.ts";

export interface LockedSale {
  readonly transaction: Tx;
  readonly sale: Sale;
  readonly state: SaleState;
  /** The database's clock, in milliseconds since 1970. */
  readonly nowMillis: bigint;
  readonly nodes: SaleNodes;
  /** What is written at the end; nothing of it can be read before. */
  readonly writes: PendingWrites;
  /** The rows that each of `ReadAhead.statements` has found. */
  readonly ahead: readonly (readonly unknown[])[];
}

/** What is read together with the lock, and after it. */
export interface ReadAhead {
  readonly nodes?: NodeSelection;
  readonly statements: readonly CompiledQuery[];
}

/** A change that readers can see. */
export interface SaleUpdate {
  /** The definition from now on, where it changes too. */
  readonly definition?: SaleDefinition;
  /** What the bus may tell of it; absent where readers have to ask for the sale. */
  readonly changes?: VisibleChanges | undefined;
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
  readAhead: ReadAhead = { statements: [] },
): Promise<Result> {
  const work = database.writeInTurn(saleUuid, async (transaction) => {
    const locked = await lockSale(database, transaction, saleUuid, readAhead);
    const changed = await change(locked);
    if ("unchanged" in changed) throw new RollBack(changed.unchanged);
    const { state, update, result } = changed;
    const published = update === undefined ? { state } : await publish(database, locked, state, update);
    const next = published.state;
    const { sale: _, ...row } = encodeSaleState(saleUuid, next);
    await locked.writes.add([updateStatement(database.dialect, "sale_state", row, ["sale", bytesOfHex(saleUuid)])]);
    await locked.writes.commit();
    const known = { definition: update?.definition ?? locked.sale.definition, state: next };
    return { result: result(next), known, told: published.told };
  });
  try {
    const { result, known, told } = await work;
    rememberSale(database, saleUuid, known);
    if (told !== undefined) tellCommitted(database, told);
    return result;
  } catch (error) {
    if (error instanceof RollBack) return error.result as Result;
    throw error;
  }
}

/** Locks a sale and reads it, in one message. */
async function lockSale(
  database: CommitmentsDatabase,
  transaction: Tx,
  saleUuid: string,
  { nodes: selection, statements }: ReadAhead,
): Promise<LockedSale> {
  const { dialect } = database;
  const { text: bound, parameters } = dialect.valuesOf([[bytesOfHex(saleUuid)]]);
  const lock = CompiledQuery.raw(`update sale_state set revision = revision + 1 where sale = ${bound}`, [
    ...parameters,
  ]);
  const select = selection === undefined ? [] : [selectNodes(dialect, saleUuid, selection)];
  const results = await executeTogether(transaction, dialect, [
    lock,
    selectSaleAndState(dialect, saleUuid),
    ...statements,
    ...select,
  ]);
  const [, found, ...others] = results.map(({ rows }) => rows);
  const row = found?.[0] as SaleAndState | undefined;
  if (row === undefined) throw saleNotFound(saleUuid);
  const nodes = new SaleNodes(dialect, transaction, saleUuid);
  if (selection !== undefined) nodes.note(selection, others.at(-1) ?? []);
  const state = decodeSaleState(row);
  return {
    transaction,
    sale: decodeSale(row),
    state: { ...state, revision: state.revision - 1n },
    nowMillis: bigintOf(row.now_ms),
    nodes,
    writes: new PendingWrites(dialect, transaction),
    ahead: others.slice(0, statements.length),
  };
}

async function publish(
  database: CommitmentsDatabase,
  { nodes, writes, sale, state: before, nowMillis }: LockedSale,
  changed: SaleState,
  update: SaleUpdate,
): Promise<{ readonly state: SaleState; readonly told?: UnpublishedUpdate }> {
  const definition = update.definition ?? sale.definition;
  const revision = before.revision + 1n;
  const clearing = await clearingTickOf(nodes, definition, changed);
  const state: SaleState = { ...changed, ...clearing, revision };
  const figures = await nodes.total(activeStandings(state, definition.cancelledKeepsAmounts));
  const { uuid: saleUuid } = sale;
  const event = saleUpdatedEvent({ saleUuid, nowMillis, definition, state, ...figures, changes: update.changes });
  const told = { saleUuid, generation: state.generation, revision, event, trace: recordedTrace() };
  await writes.add([
    upsertHistory(database, { saleUuid, nowMillis, ...figures, ...clearing }),
    insertUpdate(database, { ...told, nowMillis }),
  ]);
  return { state, told };
}
