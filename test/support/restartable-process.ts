import type { ProcessExit, RunningProcess } from "../../support/child-process.ts";

/** A component that can be killed and started again in the same way, and so at the same ports where these are fixed. */
export class RestartableProcess<Running extends { readonly process: RunningProcess }> {
  readonly #start: () => Promise<Running>;
  #running: Running;

  private constructor(start: () => Promise<Running>, running: Running) {
    this.#start = start;
    this.#running = running;
  }

  static async start<Running extends { readonly process: RunningProcess }>(
    start: () => Promise<Running>,
  ): Promise<RestartableProcess<Running>> {
    return new RestartableProcess(start, await start());
  }

  /** The present one; another one after a restart. */
  get running(): Running {
    return this.#running;
  }

  get process(): RunningProcess {
    return this.#running.process;
  }

  /** Ends it with a signal, SIGKILL by default, and waits for its end. */
  kill(signal?: NodeJS.Signals): Promise<ProcessExit> {
    return this.process.kill(signal);
  }

  /** Starts it again, after a kill where it still runs. */
  async restart(): Promise<void> {
    await this.kill();
    this.#running = await this.#start();
  }
}
