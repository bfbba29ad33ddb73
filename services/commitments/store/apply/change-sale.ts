import { recordedTrace } from "../../../shared/tracing/tracing.ts";
import type { VisibleChanges } from "../../domain/apply/visible-changes.ts";
import { activeStandings } from "../../domain/figures/counting-class.ts";
import type { SaleDefinition } from "../../domain/sale/sale.ts";
import type { SaleState } from "../../domain/sale/sale-state.ts";
import { saleUpdatedEvent } from "../../messages/sale-updated-event.ts";
import { tellCommitted } from "../../outbox/committed-updates.ts";
import { insertUpdate } from "../../outbox/insert-update.ts";
import type { UnpublishedUpdate } from "../../outbox/unpublished-updates.ts";
import { NotRemembered, rememberChange, rememberedSale } from "../optimistic-apply/optimistic-change.ts";
import { distrust, keepMemory, takeMemory } from "../optimistic-apply/sale-cache.ts";
import { rememberSale } from "../read/last-seen-sales.ts";
import { clearingTickOf } from "../read/tick-nodes.ts";
import { upsertHistory } from "../sql/history.ts";
import type { CommitmentsDatabase } from "../sql/schema.ts";
import { lockSale, type ReadAhead } from "./lock-sale.ts";
import type { LockedSale } from "./locked-sale.ts";

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

/** How a change may go about reading the sale. */
export interface ChangeOptions {
  /** What is read with the lock, where it is locked. */
  readonly readAhead?: () => ReadAhead;
  /** Whether a sale from memory will do: the change is then written, and stands, only if the sale is still as remembered. */
  readonly goesByMemory?: boolean;
}

/**
 * The one way in which a sale changes. One transaction: the sale's row is locked by raising its revision before anything
 * is read, `change` decides and writes rows, and for a visible change the clearing price, the history and the outbox
 * follow. A `change` that throws leaves no trace. Where it goes by memory and fails, for whatever reason, it is run again
 * on the sale as it is.
 *
 * @throws ServiceError `not_found`, `unavailable`, and whatever `change` throws.
 */
export async function changeSale<Result>(
  database: CommitmentsDatabase,
  saleUuid: string,
  change: (locked: LockedSale) => Promise<SaleChange<Result> | NoChange<Result>>,
  { readAhead = () => ({ statements: [] }), goesByMemory = false }: ChangeOptions = {},
): Promise<Result> {
  const work = async () => {
    const remembered = goesByMemory ? rememberedSale(database, saleUuid) : undefined;
    const done = remembered && (await changeLocked(database, remembered, change).catch(() => undefined));
    if (done !== undefined) return done;
    if (remembered !== undefined) distrust(database, saleUuid);
    return database.write(async (transaction) => {
      // A second attempt has none: the first one may have counted on in it.
      const memory = takeMemory(database, saleUuid);
      return changeLocked(database, await lockSale(database, transaction, saleUuid, readAhead(), memory), change);
    });
  };
  try {
    const { result, told } = await database.runExclusive(saleUuid, work);
    if (told !== undefined) tellCommitted(database, told);
    return result;
  } catch (error) {
    if (error instanceof RollBack) return error.result as Result;
    throw error;
  }
}

interface Changed<Result> {
  readonly result: Result;
  readonly told?: UnpublishedUpdate | undefined;
}

async function changeLocked<Result>(
  database: CommitmentsDatabase,
  locked: LockedSale,
  change: (locked: LockedSale) => Promise<SaleChange<Result> | NoChange<Result>>,
): Promise<Changed<Result>> {
  const changed = await change(locked);
  if ("unchanged" in changed) {
    if (locked.memory !== undefined) keepMemory(database, locked.memory);
    throw new RollBack(changed.unchanged);
  }
  const { state, update, result } = changed;
  // The row of the outbox is what tells whether the sale was as remembered.
  if (locked.isFromMemory && update === undefined) throw new NotRemembered("a change that nobody sees");
  const published = update === undefined ? { state } : await publish(database, locked, state, update);
  await locked.commit(published.state);
  remember(database, locked, published.state, update?.definition);
  return { result: result(published.state), told: published.told };
}

/** Another definition may change more of the sale than is known here. */
function remember(database: CommitmentsDatabase, locked: LockedSale, state: SaleState, changed?: SaleDefinition): void {
  rememberSale(database, locked.sale.uuid, { definition: changed ?? locked.sale.definition, state });
  if (changed === undefined) rememberChange(database, locked, state);
}

async function publish(
  database: CommitmentsDatabase,
  { nodes, writes, sale, state: before, nowMillis, isFromMemory, writeToken }: LockedSale,
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
    insertUpdate(database, { ...told, nowMillis }, isFromMemory ? writeToken : undefined),
  ]);
  return { state, told };
}
