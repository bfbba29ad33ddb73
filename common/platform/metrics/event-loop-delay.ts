import { monitorEventLoopDelay } from "node:perf_hooks";
import { Gauge, type Registry } from "prom-client";

/** Turns of an event loop that took the same time, or a little less. */
export interface Turns {
  readonly count: number;
  readonly lengthMs: number;
}

const NANOS_PER_MS = 1e6;

/**
 * Exports how late timers are. Each turn of the event loop is measured: a timer that measures would wake an idle process a hundred times a
 * second, and see one long turn as one of its hundreds of measurements. Deno has only such a timer, and it sees no long turn.
 */
export function exportEventLoopDelay(registry: Registry): void {
  const histogram = monitorEventLoopDelay({ samplePerIteration: true });
  histogram.enable();
  let sinceMs = performance.now();
  const gauge = (what: string, collect?: () => void) =>
    new Gauge({
      name: `nodejs_eventloop_lag_${what}_seconds`,
      help: `How late timers were since the metrics were last read: ${what}.`,
      registers: [registry],
      ...(collect && { collect }),
    });
  // The first is read first, and reads for all.
  const mean = gauge("mean", () => {
    const [turns, overMs] = [turnsOf(histogram.count, histogram.percentiles), performance.now() - sinceMs];
    mean.set(meanDelayMs(turns, overMs) / 1_000);
    max.set(histogram.max / NANOS_PER_MS / 1_000);
    p50.set(delayMs(turns, overMs, 0.5) / 1_000);
    p90.set(delayMs(turns, overMs, 0.9) / 1_000);
    p99.set(delayMs(turns, overMs, 0.99) / 1_000);
    histogram.reset();
    sinceMs += overMs;
  });
  const [max, p50, p90, p99] = [gauge("max"), gauge("p50"), gauge("p90"), gauge("p99")];
}

/** Returns the turns of a histogram, shortest first. @param percentiles the longest turn, in nanoseconds, of each share of them in percent */
export function turnsOf(count: number, percentiles: ReadonlyMap<number, number>): readonly Turns[] {
  let before = 0;
  return [...percentiles].map(([percent, nanos]) => {
    const turns = { count: ((percent - before) / 100) * count, lengthMs: nanos / NANOS_PER_MS };
    before = percent;
    return turns;
  });
}

/** Returns how late a timer is on average that is due at any moment of a time: by half of the turn in which it is due, or not at all. */
export function meanDelayMs(turns: readonly Turns[], overMs: number): number {
  return turns.reduce((sum, { count, lengthMs }) => sum + (count * lengthMs ** 2) / 2, 0) / overMs;
}

/**
 * Returns the delay that a share of such timers doesn't exceed: the others are due in the part of longer turns that is further from their
 * end.
 */
export function delayMs(turns: readonly Turns[], overMs: number, share: number): number {
  const restMs = (1 - share) * overMs;
  let [longer, longerMs] = [0, 0];
  for (const { count, lengthMs } of turns.toReversed()) {
    if (longerMs - longer * lengthMs >= restMs) break;
    longer += count;
    longerMs += count * lengthMs;
  }
  return longer === 0 ? 0 : Math.max(0, (longerMs - restMs) / longer);
}
