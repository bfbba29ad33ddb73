import type { ProcessExit, RunningProcess } from "./child-process.ts";

/** A component that can be killed and started again in the same way, and so on the same data and ports where these are fixed. */
export class RestartableProcess<Running extends { readonly process: RunningProcess }> {
  readonly #start: () => Promise<Running>;
  #running: Running;

  constructor(start: () => Promise<Running>, running: Running) {
    this.#start = start;
    this.#running = running;
  }

  /** The present one; another one after a restart. */
  get running(): Running {
    return this.#running;
  }

  /** Process of the present one. */
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
