import type { VisibleChanges } from "../../domain/apply/visible-changes.ts";
import { activeStandings } from "../../domain/figures/counting-class.ts";
import type { SaleDefinition } from "../../domain/sale/sale.ts";
import type { SaleState } from "../../domain/sale/sale-state.ts";
import { appendUpdate } from "../../outbox/append-update.ts";
import type { UnpublishedUpdate } from "../../outbox/unpublished-updates.ts";
import { NotRemembered, rememberChange, rememberedSale } from "../optimistic-apply/optimistic-change.ts";
import { distrust, keepMemory, takeMemory } from "../optimistic-apply/sale-cache.ts";
import type { LastSeenSales } from "../read/last-seen-sales.ts";
import { upsertHistory } from "../sql/history.ts";
import type { CommitmentsDatabase } from "../sql/schema.ts";
import { findClearingTick } from "./clearing-tick.ts";
import { lockSale } from "./lock-sale.ts";
import type { LockedSale } from "./locked-sale.ts";
import type { Prefetch } from "./prefetch.ts";

/** A change that readers can see. */
export interface SaleUpdate {
  /** The definition from now on, if it changes too. */
  readonly definition?: SaleDefinition;
  /** The changes that the event carries; absent if readers have to load the sale. */
  readonly changes?: VisibleChanges | undefined;
}

export interface SaleChange<Result> {
  /** The state to store; `SaleChanges` sets its revision and clearing tick. */
  readonly state: SaleState;
  /** Absent if no reader can see the change: it makes no revision. */
  readonly update?: SaleUpdate;
  /** Makes the caller's result from the state as it is stored. */
  readonly result: (state: SaleState) => Result;
}

/** Nothing is to be stored after all. */
export interface NoChange<Result> {
  readonly unchanged: Result;
}

/** Decides and writes the rows of a change. */
export type ChangeWork<Result> = (locked: LockedSale) => Promise<SaleChange<Result> | NoChange<Result>>;

export interface ChangeOptions {
  /** Names what is read together with the lock. Nothing by default. */
  readonly prefetch?: () => Prefetch;
  /** Whether a cached sale will do: the change is then committed only if the sale is still as it was cached. */
  readonly tryOptimistic?: boolean;
}

export interface SaleChangesDependencies {
  readonly database: CommitmentsDatabase;
  readonly lastSeen: LastSeenSales;
  /** Called with each revision that was committed, those of a sale in their order. */
  readonly onCommitted: (update: UnpublishedUpdate) => void;
}

interface Committed<Result> {
  readonly result: Result;
  readonly update?: UnpublishedUpdate | undefined;
}

/** Rolls back a transaction that has nothing to commit: a commit would sync the lock's own trace to disk. */
class RollBack<Result> extends Error {
  readonly result: Result;

  constructor(result: Result) {
    super("nothing to commit");
    this.result = result;
  }
}

/** Changes sales: the only way in which a sale changes. */
export class SaleChanges {
  readonly #dependencies: SaleChangesDependencies;

  constructor(dependencies: SaleChangesDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Changes a sale in one transaction. The sale's row is locked by raising its revision before anything is read; `work`
   * decides and writes rows; clearing price, history and outbox follow if the change is visible. A `work` that throws leaves
   * no trace. It may be called again, with the sale as it is then.
   *
   * @throws ServiceError `not_found`, `unavailable`, and whatever `work` throws.
   */
  async run<Result>(saleUuid: string, work: ChangeWork<Result>, options: ChangeOptions = {}): Promise<Result> {
    const { database, onCommitted } = this.#dependencies;
    try {
      const { result, update } = await database.runExclusive(saleUuid, () => this.#attempt(saleUuid, work, options));
      if (update !== undefined) onCommitted(update);
      return result;
    } catch (error) {
      if (error instanceof RollBack) return error.result as Result;
      throw error;
    }
  }

  async #attempt<Result>(
    saleUuid: string,
    work: ChangeWork<Result>,
    { prefetch = () => ({}), tryOptimistic = false }: ChangeOptions,
  ): Promise<Committed<Result>> {
    const { database } = this.#dependencies;
    const remembered = tryOptimistic ? rememberedSale(database, saleUuid) : undefined;
    const done = remembered && (await this.#change(remembered, work).catch(() => undefined));
    if (done !== undefined) return done;
    if (remembered !== undefined) distrust(database, saleUuid);
    return database.write(async (transaction) => {
      // A second attempt has none: the first one may have counted on in it.
      const memory = takeMemory(database, saleUuid);
      return this.#change(await lockSale(database, transaction, saleUuid, prefetch(), memory), work);
    });
  }

  async #change<Result>(locked: LockedSale, work: ChangeWork<Result>): Promise<Committed<Result>> {
    const { database, lastSeen } = this.#dependencies;
    const change = await work(locked);
    if ("unchanged" in change) {
      if (locked.memory !== undefined) keepMemory(database, locked.memory);
      throw new RollBack(change.unchanged);
    }
    // The row of the outbox is what tells whether the sale was as remembered.
    if (locked.isFromMemory && change.update === undefined) throw new NotRemembered("a change that nobody sees");
    const { state, update } = await this.#publish(locked, change);
    await locked.commit(state);
    const definition = change.update?.definition;
    lastSeen.set(locked.sale.uuid, { definition: definition ?? locked.sale.definition, state });
    // Another definition may change more of the sale than is known here.
    if (definition === undefined) rememberChange(database, locked, state);
    return { result: change.result(state), update };
  }

  /** Writes clearing price, history and outbox of a visible change. @returns the state to store. */
  async #publish<Result>(
    { nodes, writes, sale, state: before, nowMillis, isFromMemory, writeToken }: LockedSale,
    { state: changed, update: visible }: SaleChange<Result>,
  ): Promise<{ readonly state: SaleState; readonly update?: UnpublishedUpdate }> {
    if (visible === undefined) return { state: changed };
    const { database } = this.#dependencies;
    const definition = visible.definition ?? sale.definition;
    const clearing = await findClearingTick(nodes, definition, changed);
    const state: SaleState = { ...changed, ...clearing, revision: before.revision + 1n };
    const figures = await nodes.total(activeStandings(state, definition.cancelledKeepsAmounts));
    const { uuid: saleUuid } = sale;
    const { statement, update } = appendUpdate(
      database,
      { saleUuid, nowMillis, definition, state, ...figures, changes: visible.changes },
      isFromMemory ? writeToken : undefined,
    );
    await writes.add([upsertHistory(database, { saleUuid, nowMillis, ...figures, ...clearing }), statement]);
    return { state, update };
  }
}
