import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "../log/log.ts";

/** Returns true if ready; false, or a reason without secrets, if not. */
export type ReadinessCheck = () => boolean | string;

/** Stops one part of the process. After the deadline it should stop waiting. */
export type StopStep = (deadline: AbortSignal) => Promise<void> | void;

export interface LifecycleOptions {
  readonly logger: Logger;
  /**
   * The wait between failing readiness and the first step, in milliseconds, so that load balancers notice. 0 by default,
   * for the embedded process. Under Kubernetes a few seconds are right.
   */
  readonly drainDelayMs?: number;
  /** The time limit of each step, in milliseconds. 10 s by default. */
  readonly stepTimeoutMs?: number;
}

export interface NotReady {
  readonly name: string;
  readonly reason: string;
}

/** Readiness of a process and the order in which it stops. */
export class Lifecycle {
  readonly #options: Required<LifecycleOptions>;
  readonly #checks: { readonly name: string; readonly check: ReadinessCheck }[] = [];
  readonly #steps: { readonly name: string; readonly step: StopStep }[] = [];
  readonly #stopping = new AbortController();
  #started = false;
  #stopped: Promise<void> | undefined;

  constructor(options: LifecycleOptions) {
    this.#options = { drainDelayMs: 0, stepTimeoutMs: 10_000, ...options };
  }

  /** Aborted as soon as the process begins to stop, before the drain delay. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  isReady(): boolean {
    return this.notReady().length === 0;
  }

  /** The reasons why the process isn't ready. Empty if it is. */
  notReady(): readonly NotReady[] {
    if (this.#stopped !== undefined) return [{ name: "lifecycle", reason: "stopping" }];
    if (!this.#started) return [{ name: "lifecycle", reason: "starting" }];
    return this.#checks.flatMap(({ name, check }) => {
      const result = runCheck(check);
      return result === true ? [] : [{ name, reason: result || "failing" }];
    });
  }

  /** Declares the start complete. Before that the process isn't ready, whatever its checks return. */
  markReady(): void {
    this.#started = true;
  }

  /** Adds a check. It is called at every probe, so it must answer from memory, without I/O. */
  addReadinessCheck(name: string, check: ReadinessCheck): void {
    this.#checks.push({ name, check });
  }

  /**
   * Adds a step of the stop. Steps run in reverse order, so that a part stops before the parts that it uses. A step that a start
   * adds while the process stops already is the next to run.
   */
  onStop(name: string, step: StopStep): void {
    this.#steps.push({ name, step });
  }

  /**
   * Fails readiness, waits the drain delay, then runs the steps one after another. Later calls wait for the same end.
   * Every step runs, even after one has failed or exceeded its time.
   *
   * @throws AggregateError of the steps that failed or exceeded their time, after all have run
   */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  /** Stops the process for a signal: exit code 0 after a clean stop, 1 if a step failed. A second signal exits at once with 1. */
  endOn(signal: NodeJS.Signals): void {
    const { logger } = this.#options;
    if (this.#stopped !== undefined) {
      logger.warn({ signal }, "signal while stopping, exiting at once");
      process.exit(1);
    }
    logger.info({ signal }, "stopping");
    this.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  }

  async #stop(): Promise<void> {
    const { logger, drainDelayMs, stepTimeoutMs } = this.#options;
    this.#stopping.abort();
    if (drainDelayMs > 0) await delay(drainDelayMs);
    const errors: unknown[] = [];
    for (let last = this.#steps.pop(); last !== undefined; last = this.#steps.pop()) {
      const { name, step } = last;
      try {
        await withDeadline(step, stepTimeoutMs);
        logger.debug({ step: name }, "stopped");
      } catch (error) {
        logger.error({ step: name, err: error }, "step failed to stop");
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, "not everything stopped cleanly");
    logger.info("stopped");
  }
}

function runCheck(check: ReadinessCheck): boolean | string {
  try {
    return check();
  } catch {
    return "check failed";
  }
}

/** Waits a little longer than the deadline of the step's signal, so that a step that obeys the signal can finish. */
async function withDeadline(step: StopStep, timeoutMs: number): Promise<void> {
  const graceMs = Math.ceil(timeoutMs / 10);
  const over = new AbortController();
  const expiry = delay(timeoutMs + graceMs, undefined, { signal: over.signal }).then(() => {
    throw new Error(`still not stopped after ${timeoutMs + graceMs} ms`);
  });
  try {
    await Promise.race([step(AbortSignal.timeout(timeoutMs)), expiry]);
  } finally {
    over.abort();
    expiry.catch(() => {});
  }
}
