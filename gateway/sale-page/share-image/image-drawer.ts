import { Worker } from "node:worker_threads";
import type { ShareFacts } from "./share-image.ts";

export interface DrawingRequest {
  readonly id: number;
  readonly facts: ShareFacts;
}

export type DrawingAnswer = { readonly id: number } & (
  | { readonly png: Uint8Array; readonly error?: never }
  | { readonly error: string; readonly png?: never }
);

/** Time for an image, with those before it and the start of the thread. One takes about 50 ms, the start 150 ms. */
const TIMEOUT_MS = 30_000;
/** Time without images after which the thread ends, and gives back its 100 MB. */
const IDLE_MS = 120_000;
/** For JavaScript objects only: the thread's images are in WebAssembly's memory. */
const HEAP_MB = 64;

interface Waiting {
  readonly facts: ShareFacts;
  readonly resolve: (png: Uint8Array) => void;
  readonly reject: (error: Error) => void;
  readonly timeout: ReturnType<typeof setTimeout>;
}

interface DrawerTimes {
  readonly timeoutMs: number;
  readonly idleMs: number;
}

/** Draws images in a thread of its own, which runs only while there are images to draw. Answers of the gateway don't wait for it. */
export class ImageDrawer {
  readonly #times: DrawerTimes;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;
  #last = 0;
  #threadsStarted = 0;

  constructor({ timeoutMs = TIMEOUT_MS, idleMs = IDLE_MS }: Partial<DrawerTimes> = {}) {
    this.#times = { timeoutMs, idleMs };
  }

  /**
   * Returns a sale's image as a PNG.
   *
   * @throws Error where it can't be drawn, or not in time
   */
  draw(facts: ShareFacts): Promise<Uint8Array> {
    clearTimeout(this.#idle);
    const id = ++this.#last;
    this.#worker ??= this.#start();
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      worker.postMessage({ id, facts } satisfies DrawingRequest);
      const late = () => this.#lose(worker, new Error("the image took too long"));
      this.#waiting.set(id, { facts, resolve, reject, timeout: setTimeout(late, this.#times.timeoutMs) });
    });
  }

  /** Threads that were started in all. */
  get threadsStarted(): number {
    return this.#threadsStarted;
  }

  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  #start(): Worker {
    this.#threadsStarted += 1;
    const worker = new Worker(new URL("./drawing-thread.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    worker.on("message", (answer: DrawingAnswer) => this.#take(answer));
    worker.on("error", (error: Error) => this.#lose(worker, error));
    worker.on("exit", () => this.#lose(worker, new Error("the thread that draws images has ended")));
    // It keeps no process alive that is about to end.
    worker.unref();
    return worker;
  }

  #take({ id, png, error }: DrawingAnswer): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    clearTimeout(waiting.timeout);
    if (png === undefined) {
      waiting.reject(new Error(error));
      this.#replace();
    } else waiting.resolve(png);
    if (this.#waiting.size === 0) this.#idle = setTimeout(() => this.#end(), this.#times.idleMs).unref();
  }

  /** Fails what waits for a thread that has ended or hangs, and forgets the thread: the next image starts another one. */
  #lose(worker: Worker, error: Error): void {
    if (worker !== this.#worker) return;
    this.#end();
    for (const { reject, timeout } of this.#waiting.values()) {
      clearTimeout(timeout);
      reject(error);
    }
    this.#waiting.clear();
  }

  /** Ends a thread in which an image has failed: what WebAssembly's memory holds then is unknown. Another one draws what waits. */
  #replace(): void {
    this.#end();
    if (this.#waiting.size === 0) return;
    this.#worker = this.#start();
    for (const [id, { facts }] of this.#waiting) this.#worker.postMessage({ id, facts } satisfies DrawingRequest);
  }

  #end(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
  }
}
