import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, chromium } from "playwright-core";
import { requireProgram } from "../processes/program.ts";

/** Chromium as root, without its own calls to the network. */
const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Flag for a browser that finds every host `….example` on this machine. */
export const EXAMPLE_HOSTS_ARE_LOCAL = "--host-resolver-rules=MAP *.example 127.0.0.1";

/** Starts the machine's own Chromium, headless, with an empty profile. @param flags besides the usual ones */
export function launchChromium(...flags: readonly string[]): Promise<Browser> {
  return chromium.launch({ executablePath: requireProgram("chromium"), args: [...CHROMIUM_FLAGS, ...flags] });
}

/** An origin with one empty page and no CORS headers. */
export interface EmptySite {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  close(): Promise<void>;
}

/** Serves an empty page at every path of an origin of its own. */
export async function serveEmptySite(): Promise<EmptySite> {
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end("<!doctype html><title>Another site</title>");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  };
  return { origin: `http://127.0.0.1:${port}`, close };
}
