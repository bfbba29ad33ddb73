import { Gauge, type Registry } from "prom-client";
import type { Logger } from "../log/log.ts";
import type { Bus, EventStream } from "./bus.ts";
import type { NatsConfig } from "./config.ts";
import { LocalBus } from "./local-bus.ts";

export interface BusOptions {
  /** Undefined for a bus within this process only. */
  readonly nats: NatsConfig | undefined;
  /** The stream that stores events on NATS. */
  readonly stream: EventStream;
  /** The name of this process at the NATS server. */
  readonly name: string;
  readonly logger: Logger;
  readonly registry: Registry;
}

/** Opens a bus. It tries to connect until the server can be reached. The NATS client is loaded only if it is used. */
export async function openBus({ nats, stream, name, logger, registry }: BusOptions): Promise<Bus> {
  if (nats === undefined) return new LocalBus();
  const { NatsBus } = await import("./nats-bus.ts");
  const bus = new NatsBus({ config: nats, stream, name, logger });
  exportConnection(bus, registry);
  return bus;
}

/** Exports whether the bus is connected as a metric. */
export function exportConnection(bus: Pick<Bus, "isConnected">, registry: Registry): void {
  new Gauge({
    name: "tidemark_bus_connected",
    help: "1 while NATS can be reached.",
    registers: [registry],
    collect() {
      this.set(bus.isConnected() ? 1 : 0);
    },
  });
}
