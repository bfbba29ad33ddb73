import type { Replica } from "../../upgrade/support/replicas.ts";
import { Inspector } from "./inspector.ts";

/** What a process says of itself. */
export interface Sample {
  readonly residentBytes: number;
  readonly openDescriptors: number;
  /** Timers, sockets, servers, whatever keeps the event loop alive. */
  readonly activeResources: number;
  /** Of the event loop since the sample before, in seconds. */
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

/** What Node writes where somebody forgets to take listeners off. */
const LEAK_WARNING = /MaxListenersExceededWarning.*/;

/** The samples since the interval before. */
export interface Interval {
  readonly samples: readonly Sample[];
  /** Bytes in use at its end, after a collection. */
  readonly heapBytes: number;
}

/** Samples a process, and its heap. */
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

  /** @param replica started with `INSPECTED` */
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

  /** Node's warning of listeners that become more and more, where there is one. */
  get leakWarning(): string | undefined {
    return LEAK_WARNING.exec(this.#replica.process.output())?.[0];
  }

  [Symbol.dispose](): void {
    this.#inspector[Symbol.dispose]();
  }
}

/** @throws Error where there is no such metric without labels */
function sampleOf(text: string, metric: string): number {
  const value = new RegExp(`^${metric} (\\S+)$`, "m").exec(text)?.[1];
  if (value === undefined) throw new Error(`no metric ${metric}`);
  return Number(value);
}
