import { generateCallerKey } from "../../services/shared/rpc/callers.ts";
import type { ProcessExit } from "./child-process.ts";
import { type CommitmentsProcess, startCommitmentsProcess } from "./commitments-process.ts";
import { freePort } from "./free-port.ts";

type CallerKey = ReturnType<typeof generateCallerKey>;

export interface RestartableCommitmentsOptions {
  /** The operator's; a new one by default. */
  readonly key?: CallerKey;
  /** The time-out of the clients' calls; 30 s by default. */
  readonly timeoutMs?: number;
}

/** A commitments service that can be killed and started again on the same data and the same port. */
export class RestartableCommitments {
  readonly url: string;
  /** Clients that stay usable after a restart. */
  readonly sales: CommitmentsProcess["sales"];
  readonly commitments: CommitmentsProcess["commitments"];
  readonly #start: () => Promise<CommitmentsProcess>;
  #running: CommitmentsProcess;

  private constructor(start: () => Promise<CommitmentsProcess>, running: CommitmentsProcess) {
    this.#start = start;
    this.#running = running;
    this.url = running.url;
    this.sales = running.sales;
    this.commitments = running.commitments;
  }

  /** Starts the service; `env` says where its data are. Errors as in `startProcess`. */
  static async start(
    env: Readonly<Record<string, string>>,
    { key = generateCallerKey(), timeoutMs = 60_000 }: RestartableCommitmentsOptions = {},
  ): Promise<RestartableCommitments> {
    const port = await freePort();
    const start = () => startCommitmentsProcess(env, { port, key, timeoutMs });
    return new RestartableCommitments(start, await start());
  }

  /** Of the present process; another one after a restart. */
  get process(): CommitmentsProcess["process"] {
    return this.#running.process;
  }

  /** Ends the service with a signal, SIGKILL by default, and waits for its end. */
  kill(signal?: NodeJS.Signals): Promise<ProcessExit> {
    return this.process.kill(signal);
  }

  /** Starts the service again, after a kill where it still runs. */
  async restart(): Promise<void> {
    await this.kill();
    this.#running = await this.#start();
  }
}
