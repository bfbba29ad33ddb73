import { outsideOfCalls } from "../../../common/platform/concurrency/call-signal.ts";
import type { EntitiesContext } from "../base/context.ts";
import { addRefusals, dayOf, type SaleRefusals } from "./sale-days-store.ts";

/** How long refusals are summed up in memory before they are stored. A process that ends before has counted them in vain. */
const INTERVAL_MS = 1_000;

/** Counts refused permits by sale, day and reason. Nobody waits for it: all of a second are stored in one transaction. */
export class RefusalCounts {
  readonly #context: Pick<EntitiesContext, "database" | "clock" | "logger">;
  #pending = new Map<string, SaleRefusals>();
  #timer: NodeJS.Timeout | undefined;

  constructor(context: Pick<EntitiesContext, "database" | "clock" | "logger">) {
    this.#context = context;
  }

  /** Counts a refusal. @param reason a name of `FAILURE_REASONS` */
  count(saleUuid: string, reason: string): void {
    const dayMs = dayOf(this.#context.clock());
    const key = `${saleUuid} ${dayMs} ${reason}`;
    const before = this.#pending.get(key)?.count ?? 0n;
    this.#pending.set(key, { saleUuid, dayMs, reason, count: before + 1n });
    this.#timer ??= outsideOfCalls(() => setTimeout(() => void this.flush(), INTERVAL_MS).unref());
  }

  /** Stores what was counted so far. Never fails: what can't be stored is logged, and lost. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const refusals = [...this.#pending.values()];
    this.#pending = new Map();
    if (refusals.length === 0) return;
    const { database, logger } = this.#context;
    try {
      await database.write((transaction) => addRefusals(transaction, database.dialect, refusals));
    } catch (error) {
      logger.warn({ err: error, counts: refusals.length }, "refused permits not counted");
    }
  }
}
