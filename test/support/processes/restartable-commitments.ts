import { generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { type CommitmentsProcess, startCommitmentsProcess } from "./commitments-process.ts";
import { freePort } from "./free-port.ts";
import { RestartableProcess } from "./restartable-process.ts";

type CallerKey = ReturnType<typeof generateCallerKey>;

export interface RestartableCommitmentsOptions {
  /** The operator's; a new one by default. */
  readonly key?: CallerKey;
  /** The time-out of the clients' calls; 60 s by default. */
  readonly timeoutMs?: number;
}

/** A commitments service that can be killed and started again on the same data and the same port. */
export class RestartableCommitments extends RestartableProcess<CommitmentsProcess> {
  readonly url = this.running.url;
  /** Clients that stay usable after a restart. */
  readonly sales = this.running.sales;
  readonly commitments = this.running.commitments;

  /** Starts the service; `env` says where its data are. Errors as in `startProcess`. */
  static async start(
    env: Readonly<Record<string, string>>,
    { key = generateCallerKey(), timeoutMs = 60_000 }: RestartableCommitmentsOptions = {},
  ): Promise<RestartableCommitments> {
    const port = await freePort();
    const start = () => startCommitmentsProcess(env, { port, key, timeoutMs });
    return new RestartableCommitments(start, await start());
  }
}
