import { setTimeout as delay } from "node:timers/promises";
import { fromBinary } from "@bufbuild/protobuf";
import { type SaleUpdated, SaleUpdatedSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_updated_pb.ts";
import type { Bus } from "../../../services/shared/bus/bus.ts";
import { SALE_UPDATED_SUBJECTS } from "../../../services/shared/bus/commitment-subjects.ts";
import type { Logger } from "../../../services/shared/log/log.ts";
import type { TraceContext } from "../../../services/shared/tracing/trace-context.ts";
import { rememberTrace, traceFrom, traceOf } from "../../../services/shared/tracing/tracing.ts";
import type { CommitmentCache } from "./commitment-cache.ts";

/** From the beginning of a sale's load to that of its next one. */
const LOAD_INTERVAL_MS = 100;

export interface UpdateFollowerOptions {
  readonly cache: CommitmentCache;
  /** Finds out without the bus what has changed. */
  readonly refresh: () => Promise<void>;
  /** Sales followed at once; what is told of others is left to the refresher. */
  readonly maxSales: number;
  /** Waits for milliseconds. */
  readonly wait?: (ms: number) => Promise<unknown>;
  readonly logger: Logger;
}

/**
 * Brings sales that are in use up to date as soon as the bus tells of a new revision: by the changes that it tells, where they
 * are of the next revision and of the figures that are held; else by loading them. Of a generation only the commitments
 * service is believed. Where the bus is silent, `RevisionRefresher` finds out in its own time.
 */
export class UpdateFollower {
  readonly #options: UpdateFollowerOptions;
  /** Of each sale that is being loaded, or was a moment ago, the last event that it didn't know yet. */
  readonly #news = new Map<string, SaleUpdated | undefined>();

  constructor(options: UpdateFollowerOptions) {
    this.#options = options;
  }

  /** @returns what ends it. */
  listen(bus: Bus): () => void {
    return bus.listen(SALE_UPDATED_SUBJECTS, {
      event: ({ payload, trace }) => this.#hear(payload, trace),
      gap: () => void this.#options.refresh(),
    });
  }

  /** Done when the sale is as the event says, or can't be brought there. Never rejects. */
  async follow(event: SaleUpdated): Promise<void> {
    const { saleUuid } = event;
    if (this.#isDone(event)) return;
    const isFollowed = this.#news.has(saleUuid);
    if (!isFollowed && this.#news.size >= this.#options.maxSales) return;
    this.#news.set(saleUuid, isFollowed ? event : undefined);
    if (!isFollowed) await this.#bringUpToDate(saleUuid, event);
  }

  #hear(payload: Uint8Array, trace: TraceContext | undefined): void {
    try {
      const event = fromBinary(SaleUpdatedSchema, payload);
      rememberTrace(event, trace);
      void this.follow(event);
    } catch (error) {
      this.#options.logger.warn({ err: error }, "an event can't be decoded");
    }
  }

  #isDone(event: SaleUpdated): boolean {
    return !this.#options.cache.isBehind(event) || this.#advance(event);
  }

  /** Does without the commitments service where the event tells enough. @returns whether it did */
  #advance(event: SaleUpdated): boolean {
    const { cache, logger } = this.#options;
    let isAdvanced = false;
    const work = async () => {
      isAdvanced = cache.advance(event);
    };
    traceFrom(traceOf(event), "process sale update", { kind: "consumer" }, work).catch((error: unknown) => {
      logger.warn({ err: error, eventId: event.eventId }, "the changes of an event can't be applied");
    });
    return isAdvanced;
  }

  async #bringUpToDate(saleUuid: string, first: SaleUpdated): Promise<void> {
    const { cache, wait = delay } = this.#options;
    let repeated: SaleUpdated | undefined;
    for (let event: SaleUpdated | undefined = first; event !== undefined; event = this.#takeNews(saleUuid)) {
      const pause = wait(LOAD_INTERVAL_MS);
      // The cache has taken note of a failure; the refresher tries again.
      const load = () => cache.load(saleUuid);
      await traceFrom(traceOf(event), "process sale update", { kind: "consumer" }, load).catch(() => {});
      await pause;
      if (this.#news.get(saleUuid) !== undefined || event === repeated || !cache.isOlder(event)) continue;
      // The load was under way already, and too early for this event; another one can't be.
      repeated = event;
      this.#news.set(saleUuid, event);
    }
    this.#news.delete(saleUuid);
  }

  #takeNews(saleUuid: string): SaleUpdated | undefined {
    const event = this.#news.get(saleUuid);
    this.#news.set(saleUuid, undefined);
    return event === undefined || this.#isDone(event) ? undefined : event;
  }
}
