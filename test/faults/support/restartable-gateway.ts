import { freePort } from "../../support/processes/free-port.ts";
import { type GatewayProcess, startGatewayProcess } from "../../support/processes/gateway-process.ts";
import { RestartableProcess } from "../../support/processes/restartable-process.ts";

/** A gateway that can be killed and started again on the same port. */
export class RestartableGateway extends RestartableProcess<GatewayProcess> {
  readonly port = this.running.port;

  /** Starts the gateway. @param env settings, as for `startGatewayProcess` */
  static async start(env: Readonly<Record<string, string>>): Promise<RestartableGateway> {
    const port = String(await freePort());
    const start = () => startGatewayProcess({ ...env, GATEWAY_PORT: port });
    return new RestartableGateway(start, await start());
  }

  /** Sends `GET …/commitment-data`. */
  get(saleUuid: string): Promise<Response> {
    return this.running.get(saleUuid);
  }

  streamUrl(saleUuid: string): string {
    return `http://127.0.0.1:${this.port}/svc/v1/public/sales/${saleUuid}/commitment-data/stream`;
  }
}
