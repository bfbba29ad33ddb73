import { ServiceError } from "../../../../common/platform/errors/service-error.ts";
import type { FeedFault } from "../../base/domain/feed-state.ts";
import { FAULT_WATCH_INTERVAL_MS } from "../../base/domain/lifetimes.ts";
import type { LastSeenSales } from "../../base/last-seen-sales.ts";
import { readSaleSnapshot } from "../../base/read-sale.ts";
import type { CommitmentsDatabase } from "../../base/schema.ts";
import { readFeedStates } from "../../base/source-status.ts";
import type { EventFigures } from "../../outbox/event-body.ts";
import { readSentFaults, storeFault } from "../fault-rows.ts";

/** Sales in one read. */
const BATCH = 500;
/** Failures after which a look ends: so many aren't about single sales. */
const MAX_FAILURES = 10;

export interface FaultWatchDependencies {
  readonly database: CommitmentsDatabase;
  readonly lastSeen: LastSeenSales;
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/** The fault that the webhooks of a sale were last sent; undefined for none. */
type SentFault = readonly [saleUuid: string, fault: FeedFault | undefined];

/**
 * Notices when a sale's figures stand still, and when they move again, for the sales that have webhooks. A fault is a matter of
 * time: no transaction begins it, so that the one who delivers has to look.
 */
export class FaultWatch {
  readonly #store: FaultWatchDependencies;
  readonly #now: () => number;
  #nextAt = -Infinity;

  constructor(store: FaultWatchDependencies) {
    this.#store = store;
    this.#now = store.now ?? (() => performance.now());
  }

  /**
   * Looks, if the last time is long enough ago. A sale that fails keeps no other from its events.
   *
   * @throws AggregateError for sales that failed, once the others are done
   */
  async look(): Promise<void> {
    const now = this.#now();
    if (now < this.#nextAt) return;
    this.#nextAt = now + FAULT_WATCH_INTERVAL_MS;
    const sent = [...(await readSentFaults(this.#store.database))];
    const failures: unknown[] = [];
    for (let at = 0; at < sent.length; at += BATCH) await this.#compare(sent.slice(at, at + BATCH), failures);
    if (failures.length > 0) throw new AggregateError(failures, `the faults of ${failures.length} sales aren't stored`);
  }

  /** @param failures gets the errors of sales that failed */
  async #compare(sent: readonly SentFault[], failures: unknown[]): Promise<void> {
    const saleUuids = sent.map(([saleUuid]) => saleUuid);
    const states = await readFeedStates(this.#store.database, saleUuids);
    for (const [saleUuid, before] of sent) {
      const fault = states.get(saleUuid)?.fault;
      if (fault === before || failures.length >= MAX_FAILURES) continue;
      await this.#record(saleUuid, fault).catch((error: unknown) => failures.push(error));
    }
  }

  async #record(saleUuid: string, fault: FeedFault | undefined): Promise<void> {
    const { database } = this.#store;
    const figures = await figuresOf(this.#store, saleUuid);
    await storeFault(database, { saleUuid, fault, nowMillis: await database.nowMillis(), figures });
  }
}

/** @returns undefined while the public sees none */
async function figuresOf(store: FaultWatchDependencies, saleUuid: string): Promise<EventFigures | undefined> {
  try {
    const { snapshot } = await readSaleSnapshot(store, saleUuid, { generation: "", revision: 0n });
    const { total: amount, count: commitments, clearingTick } = snapshot;
    return { amount, commitments, ...(clearingTick !== undefined && { clearingTick }) };
  } catch (error) {
    if (error instanceof ServiceError && (error.code === "not_found" || error.code === "unavailable")) return undefined;
    throw error;
  }
}
