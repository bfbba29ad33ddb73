import { type ProcessOptions, type RunningProcess, startProcess } from "./child-process.ts";

/** A server for tests that can be killed and started again on the same data and the same port. */
export class RestartableServer {
  readonly #options: ProcessOptions;
  #process: RunningProcess;

  private constructor(options: ProcessOptions, process: RunningProcess) {
    this.#options = options;
    this.#process = process;
  }

  /** Starts the server and waits until it is ready; errors as in `startProcess`. */
  static async start(options: ProcessOptions): Promise<RestartableServer> {
    return new RestartableServer(options, await startProcess(options));
  }

  /** ID of the present process; another one after a restart. */
  get pid(): number {
    return this.#process.pid;
  }

  /** The present process's latest output. */
  output(): string {
    return this.#process.output();
  }

  /** Ends the server with a signal, SIGKILL by default, and waits for its end. */
  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    await this.#process.kill(signal);
  }

  /** Starts the server again, after a clean stop where it still runs. */
  async restart(): Promise<void> {
    await this.kill("SIGTERM");
    this.#process = await startProcess(this.#options);
  }
}
