import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "../log/log.ts";

/** True: ready. False or a text (the reason, without secrets): not ready. */
export type ReadinessCheck = () => boolean | string;

/** Stops one part of the process. Past the deadline it should give up what it still waits for. */
export type StopStep = (deadline: AbortSignal) => Promise<void> | void;

export interface LifecycleOptions {
  readonly logger: Logger;
  /**
   * Between readiness failing and the first step, in milliseconds: time for load balancers to notice. 0 by default,
   * which suits the embedded process; a few seconds under Kubernetes.
   */
  readonly drainDelayMs?: number;
  /** How long each step may take, in milliseconds; 10 s by default. */
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

  /** Aborted as soon as the process is told to stop, before the drain delay. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  isReady(): boolean {
    return this.notReady().length === 0;
  }

  /** Why the process isn't ready; empty when it is. */
  notReady(): readonly NotReady[] {
    if (this.#stopped !== undefined) return [{ name: "lifecycle", reason: "stopping" }];
    if (!this.#started) return [{ name: "lifecycle", reason: "starting" }];
    return this.#checks.flatMap(({ name, check }) => {
      const result = runCheck(check);
      return result === true ? [] : [{ name, reason: result || "failing" }];
    });
  }

  /** Everything has started. Before this the process isn't ready, whatever its checks say. */
  markReady(): void {
    this.#started = true;
  }

  /** Asked at every probe: answer from memory, without I/O. */
  addReadinessCheck(name: string, check: ReadinessCheck): void {
    this.#checks.push({ name, check });
  }

  /** Registered last stops first, so that what was built on something stops before it. */
  onStop(name: string, step: StopStep): void {
    this.#steps.push({ name, step });
  }

  /**
   * Fails readiness, waits the drain delay, then runs the steps one after another. Only the first call does so; later
   * ones wait for the same end. Every step runs, even after one failed or ran out of time.
   *
   * @throws AggregateError of the steps that failed or ran out of time, after all have run
   */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  /**
   * SIGTERM and SIGINT stop the process: exit code 0 after a clean stop, 1 where a step failed. A second signal exits
   * at once with 1.
   */
  installSignalHandlers(): void {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => this.#onSignal(signal));
  }

  #onSignal(signal: string): void {
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
    for (const { name, step } of this.#steps.toReversed()) {
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

/** Waits a little beyond the deadline that the step itself sees, so that a step that heeds it ends properly. */
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
