import { freePort } from "./free-port.ts";
import { type Nats, startNats } from "./nats.ts";

/** Servers of one cluster, by their names in it. */
export type NatsCluster = ReadonlyMap<string, Nats>;

/** Starts a cluster of three; it is ready a few seconds later. Ended with `stack`. */
export async function startNatsCluster(stack: AsyncDisposableStack): Promise<NatsCluster> {
  const ports = [await freePort(), await freePort(), await freePort()];
  const routes = ports.map((port) => `"nats://127.0.0.1:${port}"`).join(", ");
  const servers = new Map<string, Nats>();
  for (const [index, port] of ports.entries()) {
    const name = `server-${index}`;
    const cluster = `cluster: { name: test, listen: "127.0.0.1:${port}", routes: [${routes}] }`;
    servers.set(
      name,
      stack.adopt(await startNats(`server_name: ${name}\n${cluster}`), (server) => server.stop()),
    );
  }
  return servers;
}
