import type { Replica } from "../../upgrade/support/replicas.ts";
import { Inspector } from "./inspector.ts";

/** Metrics of a process at one moment. */
export interface Sample {
  readonly residentBytes: number;
  readonly openDescriptors: number;
  /** The number of timers, sockets, servers and others that keep the event loop alive. */
  readonly activeResources: number;
  /** Mean delay of the event loop since the previous sample, in seconds. */
  readonly meanDelay: number;
  readonly p99Delay: number;
  readonly maxDelay: number;
}

const METRICS = {
  residentBytes: "process_resident_memory_bytes",
  openDescriptors: "process_open_fds",
  activeResources: "nodejs_active_resources_total",
  meanDelay: "nodejs_eventloop_lag_mean_seconds",
  p99Delay: "nodejs_eventloop_lag_p99_seconds",
  maxDelay: "nodejs_eventloop_lag_max_seconds",
};

/** Node's warning about an event emitter whose listeners are never removed. */
const LEAK_WARNING = /MaxListenersExceededWarning.*/;

/** The measurements of one interval. */
export interface Interval {
  readonly samples: readonly Sample[];
  /** Bytes of the heap in use at the end of the interval, after garbage collection. */
  readonly heapBytes: number;
}

/** Measures a process: samples of its metrics, and its heap at the end of each interval. */
export class ProcessWatch implements Disposable {
  readonly name: string;
  readonly intervals: Interval[] = [];
  #samples: Sample[] = [];
  readonly #replica: Replica;
  readonly #inspector: Inspector;

  private constructor(name: string, replica: Replica, inspector: Inspector) {
    this.name = name;
    this.#replica = replica;
    this.#inspector = inspector;
  }

  /** Connects to a process. @param replica a process started with `INSPECTED` */
  static async start(name: string, replica: Replica): Promise<ProcessWatch> {
    return new ProcessWatch(name, replica, await Inspector.connect(replica.process));
  }

  async now(): Promise<Sample> {
    const text = await (await fetch(`${this.#replica.adminUrl}/metrics`)).text();
    const values = Object.entries(METRICS).map(([field, metric]) => [field, sampleOf(text, metric)]);
    return Object.fromEntries(values) as Record<keyof typeof METRICS, number>;
  }

  async sample(): Promise<void> {
    this.#samples.push(await this.now());
  }

  async endInterval(): Promise<void> {
    const heapBytes = await this.#inspector.heapAfterCollection();
    this.intervals.push({ samples: this.#samples, heapBytes });
    this.#samples = [];
  }

  /** Node's warning about too many listeners, if there is one. */
  get leakWarning(): string | undefined {
    return LEAK_WARNING.exec(this.#replica.process.output())?.[0];
  }

  [Symbol.dispose](): void {
    this.#inspector[Symbol.dispose]();
  }
}

/** Reads the value of a metric. @throws Error if there is no such metric without labels */
function sampleOf(text: string, metric: string): number {
  const value = new RegExp(`^${metric} (\\S+)$`, "m").exec(text)?.[1];
  if (value === undefined) throw new Error(`no metric ${metric}`);
  return Number(value);
}
