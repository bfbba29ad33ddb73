import { setTimeout as delay } from "node:timers/promises";
import { fromBinary } from "@bufbuild/protobuf";
import { SALE_UPDATED_SUBJECTS } from "../../../common/internal-api/commitment-subjects.ts";
import type { Bus } from "../../../common/platform/bus/bus.ts";
import { outsideOfCalls } from "../../../common/platform/concurrency/call-signal.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { Logger } from "../../../common/platform/log/log.ts";
import { SaleUpdatedSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_updated_pb.ts";
import { MIN_WATCHED_READ_INTERVAL_MS } from "../base/domain/lifetimes.ts";
import { generationText } from "../base/generation.ts";
import { isSameVersion, type SaleVersion } from "./resume-token.ts";

/** A sale with its watchers, who share each read. */
class WatchedSale<State extends SaleVersion> {
  readonly #read: () => Promise<State>;
  readonly #waiting = new Set<() => void>();
  /** Counts the notices that the sale may have changed. */
  #notices = 0;
  #loaded: { readonly notices: number; readonly state: Promise<State> } | undefined;
  #known: SaleVersion | undefined;
  #loadedAt = -Infinity;
  #next: Promise<State> | undefined;
  watchers = 0;

  constructor(read: () => Promise<State>) {
    this.#read = read;
  }

  /** Returns the sale as it is now, or as it was at the last notice. @throws what reading it throws */
  state(): Promise<State> {
    if (this.#loaded?.notices === this.#notices) return this.#loaded.state;
    this.#next ??= this.#pause().then(() => this.#load());
    return this.#next;
  }

  /** Handles a notice that the sale is at this version. */
  notice(version: SaleVersion): void {
    const { generation, revision } = this.#known ?? {};
    const isOld = generation === version.generation && revision !== undefined && version.revision <= revision;
    if (!isOld) this.#wake();
  }

  /** Handles a notice that the sale can't be read any more: the next read gives the watchers the reason. */
  noticeAbsence(): void {
    if (this.#known !== undefined) this.#wake();
  }

  /** Waits until the sale may differ from `seen`. @returns false if that didn't happen in time. */
  async changedSince(seen: SaleVersion, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    if (this.#mayDiffer(seen)) return true;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, timeoutMs);
    this.#waiting.add(resolve);
    signal.addEventListener("abort", () => resolve(), { once: true });
    await promise;
    this.#waiting.delete(resolve);
    clearTimeout(timer);
    signal.throwIfAborted();
    return this.#mayDiffer(seen);
  }

  #mayDiffer(seen: SaleVersion): boolean {
    return this.#loaded?.notices !== this.#notices || !isSameVersion(seen, this.#known);
  }

  #wake(): void {
    this.#notices++;
    for (const wake of this.#waiting) wake();
  }

  async #pause(): Promise<void> {
    const waitMs = this.#loadedAt + MIN_WATCHED_READ_INTERVAL_MS - performance.now();
    if (waitMs > 0) await delay(waitMs);
  }

  async #load(): Promise<State> {
    this.#next = undefined;
    this.#loadedAt = performance.now();
    const load = { notices: this.#notices, state: outsideOfCalls(this.#read) };
    this.#loaded = load;
    try {
      const state = await load.state;
      if (this.#loaded === load) this.#known = state;
      return state;
    } catch (error) {
      if (this.#loaded === load) this.#loaded = undefined;
      throw error;
    }
  }
}

/** The most sales in one query for revisions. */
const POLL_BATCH = 1_000;

export interface SaleWatchDependencies<State extends SaleVersion> {
  readonly bus: Bus;
  readonly readState: (saleUuid: string) => Promise<State>;
  /** Reads the versions of those sales that can be read. */
  readonly readVersions: (saleUuids: string[]) => Promise<readonly (SaleVersion & { readonly saleUuid: string })[]>;
  readonly logger: Logger;
  /** The time between two reads of the watched sales' revisions, in milliseconds: the bus may lose events. */
  readonly pollMs: number;
  /** The most watchers at once. */
  readonly maxWatchers: number;
}

/** The sales that are watched through this process. */
export class SaleWatch<State extends SaleVersion> {
  readonly #dependencies: SaleWatchDependencies<State>;
  readonly #sales = new Map<string, WatchedSale<State>>();
  #watchers = 0;
  #unlisten: () => void = () => {};
  #timer: NodeJS.Timeout | undefined;
  #isPolling = false;
  #isStopped = false;

  constructor(dependencies: SaleWatchDependencies<State>) {
    this.#dependencies = dependencies;
  }

  start(): void {
    this.#unlisten = this.#dependencies.bus.listen(SALE_UPDATED_SUBJECTS, {
      event: ({ payload }) => this.#handle(payload),
      gap: () => void this.poll(),
    });
  }

  /** Ends the reads, and refuses further watchers. */
  stop(): void {
    this.#isStopped = true;
    this.#unlisten();
    this.#stopPolling();
  }

  /** Begins to watch a sale. The caller must close it in every case. @throws ServiceError `resource_exhausted`, `unavailable` */
  open(saleUuid: string): { readonly sale: WatchedSale<State>; close(): void } {
    if (this.#isStopped) throw new ServiceError("unavailable", "this process stops; watch at another one");
    if (this.#watchers >= this.#dependencies.maxWatchers) {
      throw new ServiceError(
        "resource_exhausted",
        "this process has its maximum number of watchers; try another process, or later",
      );
    }
    const sale = this.#sales.get(saleUuid) ?? new WatchedSale(() => this.#dependencies.readState(saleUuid));
    this.#sales.set(saleUuid, sale);
    this.#timer ??= outsideOfCalls(() => setInterval(() => void this.poll(), this.#dependencies.pollMs));
    this.#watchers++;
    sale.watchers++;
    const close = () => {
      this.#watchers--;
      sale.watchers--;
      if (sale.watchers === 0) this.#sales.delete(saleUuid);
      if (this.#sales.size === 0) this.#stopPolling();
    };
    return { sale, close };
  }

  #stopPolling(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Reads the revisions of all watched sales. Never rejects; does nothing while a call before it is running. */
  async poll(): Promise<void> {
    if (this.#isPolling || this.#sales.size === 0) return;
    this.#isPolling = true;
    try {
      const saleUuids = [...this.#sales.keys()];
      for (let from = 0; from < saleUuids.length; from += POLL_BATCH) {
        const batch = saleUuids.slice(from, from + POLL_BATCH);
        const versions = await this.#dependencies.readVersions(batch);
        for (const version of versions) this.#sales.get(version.saleUuid)?.notice(version);
        const readable = new Set(versions.map(({ saleUuid }) => saleUuid));
        for (const saleUuid of batch) if (!readable.has(saleUuid)) this.#sales.get(saleUuid)?.noticeAbsence();
      }
    } catch (error) {
      this.#dependencies.logger.debug({ err: error }, "the revisions of watched sales can't be read");
    } finally {
      this.#isPolling = false;
    }
  }

  #handle(payload: Uint8Array): void {
    if (this.#sales.size === 0) return;
    try {
      const { saleUuid, generation, revision } = fromBinary(SaleUpdatedSchema, payload);
      this.#sales.get(saleUuid)?.notice({ generation: generationText(generation), revision });
    } catch (error) {
      this.#dependencies.logger.warn({ err: error }, "an event can't be decoded");
    }
  }
}
