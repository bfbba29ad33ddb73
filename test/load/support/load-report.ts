import { median } from "../../bench/support/bench-table.ts";
import { flatness } from "../../support/repository/flatness.ts";
import type { ProcessWatch, Sample } from "./process-watch.ts";

const MIB = 2 ** 20;
const TIMER_SECONDS = 0.01;
/** Growth over the middle third that occurs without a leak. */
const RESIDENT_SHARE = 0.1;
const HEAP_SHARE = 0.05;
const HEAP_SLACK = MIB;

/** A line about a process in its last interval. */
export function intervalRow({ name, intervals }: ProcessWatch): string {
  const { samples = [], heapBytes = 0 } = intervals.at(-1) ?? {};
  const middle = (of: keyof Sample) => median(samples.map((sample) => sample[of]));
  const highest = (of: keyof Sample) => Math.max(...samples.map((sample) => sample[of]));
  return (
    `${name}: resident ${mib(middle("residentBytes"))} MiB, heap ${mib(heapBytes)} MiB after collection, ` +
    `descriptors ${highest("openDescriptors")}, event loop delay ${millis(middle("meanDelay"))} ms mean, ` +
    `${millis(middle("p99Delay"))} ms p99, ${millis(highest("maxDelay"))} ms at most`
  );
}

/** Judges whether the memory of a process has stayed flat, with lines that say so. */
export function flatRows({ name, intervals }: ProcessWatch): {
  readonly rows: string[];
  readonly isFlat: boolean;
} {
  const residents = intervals.flatMap(({ samples }) => samples.map(({ residentBytes }) => residentBytes));
  const resident = flatness(residents, RESIDENT_SHARE, 0);
  const heaps = intervals.map(({ heapBytes }) => heapBytes);
  const heap = flatness(heaps, HEAP_SHARE, HEAP_SLACK);
  const row = (kind: string, { middle, last, isFlat }: typeof heap) =>
    `${name}: ${kind} ${mib(middle)} MiB in the middle third, ${mib(last)} MiB in the last: ${isFlat ? "flat" : "GROWING"}`;
  return { rows: [row("resident", resident), row("heap", heap)], isFlat: resident.isFlat && heap.isFlat };
}

function mib(bytes: number): string {
  return (bytes / MIB).toFixed(1);
}

/** Milliseconds of a delay, without the 10 ms of the timer that measures it. */
function millis(seconds: number): string {
  return (Math.max(0, seconds - TIMER_SECONDS) * 1_000).toFixed(1);
}
