import { createServer, type Server } from "node:net";
import { listen } from "./listen.ts";

/**
 * Checks that all ports of a process are free, and different from each other, before it opens anything else: so a start
 * that can't succeed leaves nothing behind.
 *
 * @param ports by the variable that each comes from; 0 is always free
 * @throws ConfigError naming the variable of one that isn't
 */
export async function requireFreePorts(host: string, ports: Readonly<Record<string, number>>): Promise<void> {
  const servers: Server[] = [];
  try {
    for (const [variable, port] of Object.entries(ports)) {
      const server = createServer((socket) => socket.destroy());
      if (port !== 0) await listen(server, { host, port, variable }).then(() => servers.push(server));
    }
  } finally {
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}
