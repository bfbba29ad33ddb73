import { Histogram, type Registry } from "prom-client";
import { DURATION_BUCKETS } from "../../../common/platform/metrics/duration-buckets.ts";

/** Durations in the buckets of a histogram, as numbers in memory: counting a short one costs a comparison and two additions. */
export class DurationCounts {
  /** The durations of each bucket, without those of the buckets below it. The last bucket has no bound. */
  readonly #counts: number[] = Array.from({ length: DURATION_BUCKETS.length + 1 }, () => 0);
  #seconds = 0;

  /** Counts a duration in milliseconds. */
  add(millis: number): void {
    const seconds = millis / 1_000;
    let bucket = 0;
    while (bucket < DURATION_BUCKETS.length && seconds > Number(DURATION_BUCKETS[bucket])) bucket++;
    this.#counts[bucket] = Number(this.#counts[bucket]) + 1;
    this.#seconds += seconds;
  }

  /** Number of all durations. */
  get count(): number {
    return this.#counts.reduce((sum, count) => sum + count, 0);
  }

  /** Sum of all durations, in seconds. */
  get seconds(): number {
    return this.#seconds;
  }

  /** Returns the number of durations up to each bound of a bucket, in seconds. */
  upTo(): ReadonlyMap<number, number> {
    let sum = 0;
    return new Map(
      DURATION_BUCKETS.map((bound, bucket) => {
        sum += Number(this.#counts[bucket]);
        return [bound, sum];
      }),
    );
  }
}

/** The labels of a series, and its durations. */
export type CountedSeries = readonly [labels: Readonly<Record<string, string>>, durations: DurationCounts];

export interface DurationHistogramOptions {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  readonly series: readonly CountedSeries[];
  readonly registry: Registry;
}

/** A histogram that is read from `DurationCounts` when Prometheus asks. */
export class DurationHistogram extends Histogram {
  readonly #options: DurationHistogramOptions;

  constructor(options: DurationHistogramOptions) {
    const { name, help, labelNames, registry } = options;
    super({ name, help, labelNames, buckets: [...DURATION_BUCKETS], registers: [registry] });
    this.#options = options;
  }

  /** Called by the registry, and by `get`. */
  async getForPromString() {
    const { name, help, series } = this.#options;
    return { name, help, type: "histogram", values: series.flatMap((each) => valuesOf(name, each)) };
  }
}

function valuesOf(name: string, [sharedLabels, durations]: CountedSeries) {
  const { count, seconds } = durations;
  const bucket = (le: number | "+Inf", value: number) => {
    return { metricName: `${name}_bucket`, labels: { le }, sharedLabels, value };
  };
  return [
    ...Array.from(durations.upTo(), ([bound, value]) => bucket(bound, value)),
    bucket("+Inf", count),
    { metricName: `${name}_sum`, labels: {}, sharedLabels, value: seconds },
    { metricName: `${name}_count`, labels: {}, sharedLabels, value: count },
  ];
}
