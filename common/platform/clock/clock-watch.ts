import { setTimeout as wait } from "node:timers/promises";
import { Gauge, type Registry } from "prom-client";
import type { Lifecycle } from "../lifecycle/lifecycle.ts";
import type { Logger } from "../log/log.ts";
import type { Clock } from "../time/clock.ts";
import {
  type ClockDifference,
  type ClockLevel,
  type ClockReading,
  certainDifferenceMs,
  clockDifference,
  clockDifferenceText,
  clockLevel,
} from "./clock-difference.ts";
import { readClock } from "./read-clock.ts";

export interface ClockWatchOptions {
  /** The owner of the other clock in words, such as `auth database`. */
  readonly comparedWith: string;
  /** Reads the other clock: milliseconds since 1970. Undefined where there is none, as SQLite has this process's. */
  readonly readOther: (() => Promise<number>) | undefined;
  readonly logger: Logger;
  /** This process's clock: milliseconds since 1970. */
  readonly wallClock?: () => number;
  /** A clock of this process that nobody sets, in milliseconds. */
  readonly monotonicNow?: () => number;
}

const INTERVAL_MS = 60_000;
/** The wait after a comparison without an answer. */
const RETRY_MS = 2_000;
/** A larger difference between the spans of this process's two clocks since a comparison comes of one that was set. */
const SET_MS = 1_000;
/** The age up to which a comparison shows that the clock was set: later, a clock that is slowly corrected looks alike. */
const COMPARISON_AGE_MS = 3 * INTERVAL_MS;

/** This process's clocks at a comparison, in milliseconds. */
interface Comparison {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

/** Compares this process's clock with another. */
export class ClockWatch {
  readonly #options: Required<ClockWatchOptions>;
  #difference: ClockDifference = { aheadMs: 0, uncertaintyMs: 0 };
  #comparison: Comparison | undefined;
  #comparing: Promise<boolean> | undefined;
  /** When the next comparison may begin because the clock was set, by the monotonic clock. */
  #recheckAtMs = 0;

  constructor(options: ClockWatchOptions) {
    this.#options = { wallClock: Date.now, monotonicNow: () => performance.now(), ...options };
  }

  /**
   * The time by this process's clock, or by the other one where the two differ by more than two seconds: processes that share
   * a database then agree on how old its rows are. A clock that is set counts only after it was compared again, which begins at once.
   */
  readonly now: Clock = () => {
    const nowMs = this.#steadyNow();
    return BigInt(Math.round(this.#level() === "fine" ? nowMs : nowMs - this.#difference.aheadMs));
  };

  /** The certain part of the difference, in seconds: positive if this process is ahead. */
  differenceSeconds(): number {
    return certainDifferenceMs(this.#difference) / 1_000;
  }

  /** Returns the reason why this process can take no calls; undefined if it can. */
  refusal(): string | undefined {
    return this.#level() === "unready" ? this.#inWords() : undefined;
  }

  /** Compares once. Without an answer the last difference stays. @returns whether there was an answer */
  compare(): Promise<boolean> {
    this.#comparing ??= this.#compare().finally(() => {
      this.#comparing = undefined;
    });
    return this.#comparing;
  }

  /** The time of this process's clock; after it was set the time that it would have without that, until it is compared again. */
  #steadyNow(): number {
    const { wallMs, monotonicMs } = this.#clocks();
    if (this.#comparison === undefined) return wallMs;
    const sinceMs = monotonicMs - this.#comparison.monotonicMs;
    const steadyMs = this.#comparison.wallMs + sinceMs;
    if (Math.abs(wallMs - steadyMs) < SET_MS || sinceMs > COMPARISON_AGE_MS) return wallMs;
    if (monotonicMs >= this.#recheckAtMs) {
      this.#recheckAtMs = monotonicMs + RETRY_MS;
      void this.compare();
    }
    return steadyMs;
  }

  #clocks(): Comparison {
    return { wallMs: this.#options.wallClock(), monotonicMs: this.#options.monotonicNow() };
  }

  async #compare(): Promise<boolean> {
    const before = this.#level();
    const clocks = this.#clocks();
    const difference = clockDifference(await this.#read(clocks));
    if (difference === undefined) return false;
    this.#difference = difference;
    this.#comparison = clocks;
    if (this.#level() !== before) this.#logLevel();
    return true;
  }

  /** @param began the clocks at its beginning: it counts by the monotonic one, as the other may be set meanwhile */
  async #read(began: Comparison): Promise<readonly ClockReading[]> {
    const { readOther, monotonicNow } = this.#options;
    if (readOther === undefined) return [];
    return readClock(readOther, () => began.wallMs + monotonicNow() - began.monotonicMs);
  }

  #level(): ClockLevel {
    return clockLevel(certainDifferenceMs(this.#difference));
  }

  #logLevel(): void {
    const { logger, comparedWith } = this.#options;
    const fields = { ahead_seconds: this.differenceSeconds() };
    const level = this.#level();
    if (level === "fine") logger.info(fields, `this process's clock agrees with that of the ${comparedWith} again`);
    else if (level === "warning") logger.warn(fields, this.#inWords());
    else logger.error(fields, this.#inWords());
  }

  #inWords(): string {
    return clockDifferenceText(this.#difference, this.#options.comparedWith);
  }
}

export interface StartedClockWatchOptions extends ClockWatchOptions {
  readonly lifecycle: Lifecycle;
  readonly registry: Registry;
  /** Whether the process isn't ready while its clock is far off. It stays ready where the public read goes through it. */
  readonly decidesReadiness: boolean;
}

/**
 * Compares now and each minute until the lifecycle stops it.
 *
 * @returns the watch; after its first comparison if that decides whether the process is ready
 */
export async function startClockWatch(options: StartedClockWatchOptions): Promise<ClockWatch> {
  const { comparedWith, readOther, lifecycle, registry, decidesReadiness } = options;
  const watch = new ClockWatch(options);
  if (readOther === undefined) return watch;
  exportClockDifference(comparedWith, watch, registry);
  const stopping = new AbortController();
  const first = watch.compare();
  const done = compareRegularly(watch, first, stopping.signal);
  lifecycle.onStop(`clock of the ${comparedWith}`, () => {
    stopping.abort();
    return done;
  });
  if (!decidesReadiness) return watch;
  lifecycle.addReadinessCheck("clock", () => watch.refusal() ?? true);
  await first;
  return watch;
}

async function compareRegularly(watch: ClockWatch, first: Promise<boolean>, signal: AbortSignal): Promise<void> {
  for (let isAnswered = await first; ; isAnswered = await watch.compare()) {
    await wait(isAnswered ? INTERVAL_MS : RETRY_MS, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
  }
}

type ExportedWatch = Pick<ClockWatch, "differenceSeconds">;

/** The watches that each registry exports. A process that runs several services has several. */
const exported = new WeakMap<Registry, Map<string, ExportedWatch>>();

/** Exports the difference of a watch. @param comparedWith the value of its label */
export function exportClockDifference(comparedWith: string, watch: ExportedWatch, registry: Registry): void {
  const present = exported.get(registry);
  if (present !== undefined) {
    present.set(comparedWith, watch);
    return;
  }
  const watches = new Map([[comparedWith, watch]]);
  exported.set(registry, watches);
  new Gauge({
    name: "tidemark_process_clock_difference_seconds",
    help: "How far this process's clock is certainly ahead of another; negative if it is behind.",
    labelNames: ["compared_with"],
    registers: [registry],
    collect() {
      for (const [of, each] of watches) this.set({ compared_with: of }, each.differenceSeconds());
    },
  });
}
