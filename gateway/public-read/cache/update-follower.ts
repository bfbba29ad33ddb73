import { setTimeout as delay } from "node:timers/promises";
import { fromBinary } from "@bufbuild/protobuf";
import { SALE_UPDATED_SUBJECTS, saleUpdatedSubject } from "../../../common/internal-api/commitment-subjects.ts";
import type { Bus } from "../../../common/platform/bus/bus.ts";
import { messagingSpan } from "../../../common/platform/bus/messaging-span.ts";
import type { Logger } from "../../../common/platform/log/log.ts";
import type { TraceContext } from "../../../common/platform/tracing/trace-context.ts";
import { attachTrace, traceFrom, traceOf } from "../../../common/platform/tracing/tracing.ts";
import { type SaleUpdated, SaleUpdatedSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_updated_pb.ts";
import type { CommitmentCache } from "./commitment-cache.ts";

/** Shortest time between the starts of two loads of a sale. */
const LOAD_INTERVAL_MS = 100;

export interface UpdateFollowerOptions {
  readonly cache: CommitmentCache;
  /** Other answers about sales that are held in memory. */
  readonly documents: { forgetRefusals(saleUuid: string): void };
  /** Finds changed sales without the bus. */
  readonly refresh: () => Promise<void>;
  /** Sales brought up to date at once; events of further sales are left to the refresher. */
  readonly maxSales: number;
  /** Waits for milliseconds. */
  readonly wait?: (ms: number) => Promise<unknown>;
  /** Called for each event of the bus, of whatever sale. */
  readonly onEvent?: () => void;
  readonly logger: Logger;
}

/**
 * Brings sales in use up to date as soon as an event names a new revision. An event that has all changes from the
 * held body to the next revision is applied to that body; otherwise the sale is loaded. A new generation is only
 * believed when a load brings it. `RevisionRefresher` finds the changes whose events don't arrive.
 */
export class UpdateFollower {
  readonly #options: UpdateFollowerOptions;
  /**
   * The sales that are being loaded, or were a moment ago, each with the last event that came since and isn't
   * handled.
   */
  readonly #pending = new Map<string, SaleUpdated | undefined>();
  /** Set by `listen`. */
  #bus: Pick<Bus, "system"> = { system: "in_process" };

  constructor(options: UpdateFollowerOptions) {
    this.#options = options;
  }

  /** Subscribes to the events of all sales. @returns a function that ends the subscription */
  listen(bus: Bus): () => void {
    this.#bus = bus;
    return bus.listen(SALE_UPDATED_SUBJECTS, {
      event: ({ payload, trace }) => this.#handle(payload, trace),
      gap: () => void this.#options.refresh(),
    });
  }

  /**
   * Handles an event. The promise resolves once the sale is at its revision or can't be brought there, and never
   * rejects.
   */
  async follow(event: SaleUpdated): Promise<void> {
    const { saleUuid } = event;
    if (event.readable) this.#forgetRefusals(saleUuid);
    if (this.#isHandled(event)) return;
    const isFollowed = this.#pending.has(saleUuid);
    if (!isFollowed && this.#pending.size >= this.#options.maxSales) return;
    this.#pending.set(saleUuid, isFollowed ? event : undefined);
    if (!isFollowed) await this.#bringUpToDate(saleUuid, event);
  }

  #handle(payload: Uint8Array, trace: TraceContext | undefined): void {
    this.#options.onEvent?.();
    try {
      const event = fromBinary(SaleUpdatedSchema, payload);
      attachTrace(event, trace);
      void this.follow(event);
    } catch (error) {
      this.#options.logger.warn({ err: error }, "an event can't be decoded");
    }
  }

  /** A sale that has opened was unknown a moment ago. */
  #forgetRefusals(saleUuid: string): void {
    this.#options.cache.forgetRefusal(saleUuid);
    this.#options.documents.forgetRefusals(saleUuid);
  }

  #isHandled(event: SaleUpdated): boolean {
    return !this.#options.cache.isBehind(event) || this.#advance(event);
  }

  /** Applies an event to the held body. @returns whether the event had enough for that */
  #advance(event: SaleUpdated): boolean {
    const { cache, logger } = this.#options;
    let isAdvanced = false;
    const work = async () => {
      isAdvanced = cache.advance(event);
    };
    this.#traced(event, work).catch((error: unknown) => {
      logger.warn({ err: error, eventId: event.eventId }, "the changes of an event can't be applied");
    });
    return isAdvanced;
  }

  /** Runs work for an event, as a span of the trace of its change. */
  #traced<Result>(event: SaleUpdated, work: () => Promise<Result>): Promise<Result> {
    const parent = traceOf(event);
    if (parent === undefined) return work();
    const subject = saleUpdatedSubject(event.saleUuid);
    const { name, settings } = messagingSpan("process", this.#bus, SALE_UPDATED_SUBJECTS, {
      subject,
      id: event.eventId,
    });
    return traceFrom(parent, name, settings, work);
  }

  async #bringUpToDate(saleUuid: string, first: SaleUpdated): Promise<void> {
    const { cache, wait = delay } = this.#options;
    let repeated: SaleUpdated | undefined;
    for (let event: SaleUpdated | undefined = first; event !== undefined; event = this.#takePending(saleUuid)) {
      const interval = wait(LOAD_INTERVAL_MS);
      // The cache has recorded a failure; the refresher tries again.
      const load = () => cache.load(saleUuid);
      await this.#traced(event, load).catch(() => {});
      await interval;
      if (this.#pending.get(saleUuid) !== undefined || event === repeated || !cache.isOlder(event)) continue;
      // The load joined one that had begun before this event. The next load can't be too early.
      repeated = event;
      this.#pending.set(saleUuid, event);
    }
    this.#pending.delete(saleUuid);
  }

  #takePending(saleUuid: string): SaleUpdated | undefined {
    const event = this.#pending.get(saleUuid);
    this.#pending.set(saleUuid, undefined);
    return event === undefined || this.#isHandled(event) ? undefined : event;
  }
}
