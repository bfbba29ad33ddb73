import { Registry } from "prom-client";
import { Env } from "../../common/platform/config/env.ts";
import { Lifecycle } from "../../common/platform/lifecycle/lifecycle.ts";
import { startGateway } from "../../gateway/composition.ts";
import { gatewayConfig } from "../../gateway/config.ts";
import { FakeCommitments, type FakeSale, SALE } from "../../gateway/testing/fake-commitments.ts";
import { openGatewayPort, silentLogger } from "../../gateway/testing/gateway-parts.ts";
import { SALE_LOGO } from "../../gateway/testing/sale-states.ts";
import { SQUARE_LOGO } from "../../gateway/testing/sample-logos.ts";
import { freePort } from "../../test/support/processes/free-port.ts";

/** A gateway before a commitments service in memory, which can be away for a while. */
export class SaleGateway {
  readonly commitments = new FakeCommitments();
  readonly port: number;
  #lifecycle: Lifecycle | undefined;

  private constructor(port: number) {
    this.port = port;
  }

  /** @param sale undefined for none, as a draft is answered */
  static async start(sale: FakeSale | undefined): Promise<SaleGateway> {
    const gateway = new SaleGateway(await freePort());
    if (sale !== undefined) gateway.commitments.sales.set(SALE, sale);
    gateway.commitments.logos.set(SALE_LOGO, SQUARE_LOGO.image);
    await gateway.resume();
    return gateway;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Opens its port again. */
  async resume(): Promise<void> {
    this.#lifecycle = new Lifecycle({ logger: silentLogger });
    const config = gatewayConfig(new Env({ GATEWAY_PORT: String(this.port), CACHE_MAX_STALE: "250ms" }));
    const { server, counters } = await openGatewayPort(config);
    const [commitments, registry] = [this.commitments.client, new Registry()];
    startGateway({ config, server, counters, commitments, lifecycle: this.#lifecycle, registry, logger: silentLogger });
  }

  async stop(): Promise<void> {
    await this.#lifecycle?.stop();
    this.#lifecycle = undefined;
  }
}
