import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { SaleDefinition } from "../../../common/sale/definition/sale.ts";
import { activeClasses } from "../../../common/sale/figures/counting-class.ts";
import type { SaleState } from "../base/domain/sale-state.ts";
import type { VisibleChanges } from "../base/domain/visible-changes.ts";
import type { LastSeenSales } from "../base/last-seen-sales.ts";
import type { SaleNodes } from "../base/sale-nodes.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";
import { appendEvents } from "../outbox/append-events.ts";
import { appendUpdate } from "../outbox/append-update.ts";
import { eventsOfChange } from "../outbox/sale-event.ts";
import type { UnpublishedUpdate } from "../outbox/unpublished-updates.ts";
import type { ChangingSale } from "./changing-sale.ts";
import { findClearingTick } from "./find-clearing-tick.ts";
import { upsertHistory } from "./history.ts";
import { lockSale } from "./lock-sale.ts";
import type { OptimisticApply } from "./optimistic-apply.ts";
import type { Prefetch } from "./prefetch.ts";
import { newGeneration } from "./sale-writes.ts";

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

/** The outcome of a change that stores nothing. */
export interface NoChange<Result> {
  readonly unchanged: Result;
}

/** Decides and writes the rows of a change. */
export type ChangeWork<Result> = (sale: ChangingSale) => Promise<SaleChange<Result> | NoChange<Result>>;

export interface ChangeOptions {
  /** Names what is read together with the lock. Nothing by default. */
  readonly prefetch?: () => Prefetch;
  /** Whether an optimistic apply is worth trying. Not by default. */
  readonly tryOptimistic?: boolean;
}

export interface SaleChangesDependencies {
  readonly database: CommitmentsDatabase;
  readonly lastSeen: LastSeenSales;
  /** Called with each revision that was committed, those of a sale in their order. */
  readonly onCommitted: (update: UnpublishedUpdate) => void;
  /** Absent: every change locks its sale. */
  readonly optimisticApply?: OptimisticApply | undefined;
  /** Whether sales may be changed; see `beginChanges`. */
  readonly mayChange: () => boolean;
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
   * no trace. It may be called several times, each time with the sale as it is then.
   *
   * @throws ServiceError `not_found`, `unavailable`, and whatever `work` throws.
   */
  async run<Result>(saleUuid: string, work: ChangeWork<Result>, options: ChangeOptions = {}): Promise<Result> {
    const { database, onCommitted, mayChange } = this.#dependencies;
    if (!mayChange()) throw new ServiceError("unavailable", "the service is starting; retry");
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
    const { database, optimisticApply } = this.#dependencies;
    const attempt = tryOptimistic
      ? await optimisticApply?.attempt(saleUuid, (sale) => this.#change(sale, work))
      : undefined;
    if (attempt !== undefined) return attempt.done;
    return database.writeLocked(async (transaction) => {
      const sale = await lockSale(this.#dependencies, transaction, saleUuid, prefetch());
      try {
        return await this.#change(this.#withoutLoss(sale), work);
      } finally {
        await sale.writes.settled();
      }
    });
  }

  /**
   * Begins a new generation of a sale that is older than this process has left it: a backup was restored under the process, or a
   * failover has lost changes. Their revisions were seen, and will be taken again.
   */
  #withoutLoss(sale: ChangingSale): ChangingSale {
    const seen = this.#dependencies.lastSeen.get(sale.sale.uuid)?.state;
    const isLost = seen?.generation === sale.state.generation && sale.state.revision < seen.revision;
    return isLost ? { ...sale, state: { ...sale.state, generation: newGeneration() } } : sale;
  }

  async #change<Result>(sale: ChangingSale, work: ChangeWork<Result>): Promise<Committed<Result>> {
    const { lastSeen, optimisticApply } = this.#dependencies;
    const change = await work(sale);
    if ("unchanged" in change) throw new RollBack(change.unchanged);
    const { state, update } = await this.#publish(sale, change);
    await sale.commit(state);
    const definition = change.update?.definition;
    lastSeen.set(sale.sale.uuid, { definition: definition ?? sale.sale.definition, state });
    optimisticApply?.committed(sale, state, definition !== undefined);
    return { result: change.result(state), update };
  }

  /** Writes clearing price, history, outbox and events for webhooks of a visible change. @returns the state to store. */
  async #publish<Result>(
    { nodes, writes, sale, state: before, nowMillis }: ChangingSale,
    { state: changed, update: visible }: SaleChange<Result>,
  ): Promise<{ readonly state: SaleState; readonly update?: UnpublishedUpdate }> {
    if (visible === undefined) return { state: changed };
    const { database } = this.#dependencies;
    const definition = visible.definition ?? sale.definition;
    const clearing = await findClearingTick(nodes, definition, changed);
    const state: SaleState = { ...changed, ...clearing, revision: before.revision + 1n };
    const figures = await nodes.total(activeClasses(state, definition.cancelledKeepsAmounts));
    const { uuid: saleUuid } = sale;
    const belowFloor = await amountBelowFloor(nodes, definition, state);
    const facts = { saleUuid, nowMillis, definition, state, ...figures, belowFloor, changes: visible.changes };
    const { statement, update } = appendUpdate(database, facts);
    await writes.add([upsertHistory(database, { saleUuid, nowMillis, ...figures, ...clearing }), statement]);
    const shown = state.hasSnapshot ? { ...figures, ...clearing } : undefined;
    const event = { saleUuid, nowMillis, definition, state, figures: shown };
    await writes.add(appendEvents(database.dialect, eventsOfChange(before, state), event));
    return { state, update };
  }
}

/** Returns the sum of what is bid below the floor of an auction, which isn't part of the demand. */
async function amountBelowFloor(nodes: SaleNodes, definition: SaleDefinition, state: SaleState): Promise<bigint> {
  if (definition.pricing.kind !== "auction" || state.status === "draft") return 0n;
  return nodes.amountBelow(activeClasses(state, definition.cancelledKeepsAmounts), definition.pricing.floorTicks);
}
