import type { ProcessExit } from "../../support/child-process.ts";
import { freePort } from "../../support/free-port.ts";
import { type GatewayProcess, startGatewayProcess } from "../../support/gateway-process.ts";

/** A gateway that can be killed and started again on the same port. */
export class RestartableGateway {
  readonly #start: () => Promise<GatewayProcess>;
  #running: GatewayProcess;

  private constructor(start: () => Promise<GatewayProcess>, running: GatewayProcess) {
    this.#start = start;
    this.#running = running;
  }

  /** `env` as for `startGatewayProcess`. */
  static async start(env: Readonly<Record<string, string>>): Promise<RestartableGateway> {
    const port = String(await freePort());
    const start = () => startGatewayProcess({ ...env, GATEWAY_PORT: port });
    return new RestartableGateway(start, await start());
  }

  /** Of the present process; another one after a restart. */
  get process(): GatewayProcess["process"] {
    return this.#running.process;
  }

  get port(): number {
    return this.#running.port;
  }

  /** `GET …/commitment-data` */
  get(saleUuid: string): Promise<Response> {
    return this.#running.get(saleUuid);
  }

  /** `POST …/read-commitment-data` */
  read(saleUuid: string): Promise<Response> {
    return this.#running.read(saleUuid);
  }

  streamUrl(saleUuid: string): string {
    return `http://127.0.0.1:${this.#running.port}/svc/v1/public/sales/${saleUuid}/commitment-data/stream`;
  }

  /** Ends the gateway with a signal, SIGKILL by default, and waits for its end. */
  kill(signal?: NodeJS.Signals): Promise<ProcessExit> {
    return this.process.kill(signal);
  }

  /** Starts it again, after a kill where it still runs. */
  async restart(): Promise<void> {
    await this.kill();
    this.#running = await this.#start();
  }
}
