import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Ports below the ephemeral range of Linux (32768 and up), so that no outgoing connection takes one before its server does. */
const LOWEST_PORT = 20_000;
const HIGHEST_PORT = 32_767;
const ATTEMPTS = 100;

/** Test files that run at the same time choose from ranges of their own. */
const RANGES = 4;
const RANGE_SIZE = Math.floor((HIGHEST_PORT - LOWEST_PORT + 1) / RANGES);
const lowest = LOWEST_PORT + (Number(process.env["VITEST_POOL_ID"] ?? 0) % RANGES) * RANGE_SIZE;

/** A port is given once: its first owner may listen on it again at any time. */
const given = new Set<number>();

/**
 * A TCP port that nobody listens on at 127.0.0.1, for servers that can't choose one themselves (port 0).
 *
 * @throws Error when no free port was found in 100 random attempts.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(lowest, lowest + RANGE_SIZE);
    if (given.has(port)) continue;
    given.add(port);
    if (await canListen(port)) return port;
  }
  throw new Error(`no free port between ${lowest} and ${lowest + RANGE_SIZE - 1} in ${ATTEMPTS} attempts`);
}

async function canListen(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
