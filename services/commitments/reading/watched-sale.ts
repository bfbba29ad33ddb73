import { setTimeout as delay } from "node:timers/promises";
import { outsideOfCalls } from "../../../common/platform/concurrency/call-signal.ts";
import { MIN_WATCHED_READ_INTERVAL_MS } from "../base/domain/lifetimes.ts";
import { isSameVersion, type SaleVersion } from "./resume-token.ts";

/** A sale with its watchers, who share each read. */
export class WatchedSale<State extends SaleVersion> {
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
