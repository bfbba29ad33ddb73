import { LRUCache } from "lru-cache";
import { atMost } from "../../../common/platform/cache/at-most.ts";
import { outsideOfCalls } from "../../../common/platform/concurrency/call-signal.ts";
import type { RecentSale, RecentSaleReader } from "../base/context.ts";
import { SALE_FACTS_REUSE_MS, SALE_FACTS_TRUST_MS } from "../base/lifetimes.ts";
import { readSaleFacts, type SaleFacts } from "../base/sale-facts.ts";
import type { Upstreams } from "../base/upstreams.ts";

interface Reading {
  readonly askedAtMs: number;
  readonly reading: Promise<SaleFacts>;
}

const MAX_SALES = 1_000;

/** Facts about sales that were read in the last second, so that each sale is read once a second and not for each permit. */
export class RecentSales implements RecentSaleReader {
  readonly #upstreams: Pick<Upstreams, "sales">;
  readonly #monotonicMs: () => number;
  readonly #readings = new LRUCache<string, Reading>(atMost(MAX_SALES));

  /** @param monotonicMs a clock that never goes back; that of the process by default */
  constructor(upstreams: Pick<Upstreams, "sales">, monotonicMs: () => number = () => performance.now()) {
    this.#upstreams = upstreams;
    this.#monotonicMs = monotonicMs;
  }

  /** Returns facts that were asked for during the last second. @throws ServiceError as `readSaleFacts` */
  async read(saleUuid: string): Promise<RecentSale> {
    const cached = this.#readings.get(saleUuid);
    const isRecent = cached !== undefined && this.#monotonicMs() - cached.askedAtMs < SALE_FACTS_REUSE_MS;
    const { reading, askedAtMs } = isRecent ? cached : this.#ask(saleUuid);
    return { sale: await reading, askedAtMs };
  }

  /** Whether facts may be trusted still. */
  isTrusted({ askedAtMs }: RecentSale): boolean {
    return this.#monotonicMs() - askedAtMs <= SALE_FACTS_TRUST_MS;
  }

  #ask(saleUuid: string): Reading {
    const askedAtMs = this.#monotonicMs();
    // Others wait for the same reading.
    const asked = { askedAtMs, reading: outsideOfCalls(() => readSaleFacts(this.#upstreams, saleUuid)) };
    this.#readings.set(saleUuid, asked);
    // A failure is for those who wait now.
    asked.reading.catch(() => {
      if (this.#readings.peek(saleUuid) === asked) this.#readings.delete(saleUuid);
    });
    return asked;
  }
}
