import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { type Browser, chromium, firefox } from "playwright-core";
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

/** Starts the machine's own Chromium, headless, with an empty profile. @param flags besides the usual ones */
export function launchChromium(...flags: readonly string[]): Promise<Browser> {
  return chromium.launch({ executablePath: requireProgram("chromium"), args: [...CHROMIUM_FLAGS, ...flags] });
}

/**
 * Starts the browser in which the tests run that more than one can do: the machine's own Firefox where `TEST_BROWSER` says so, else
 * Chromium. Both are headless, with an empty profile.
 *
 * @param localHosts names of hosts that it finds on this machine
 */
export function launchBrowser(...localHosts: readonly string[]): Promise<Browser> {
  if (isFirefox) return launchFirefox(localHosts);
  const rules = localHosts.map((host) => `MAP ${host} 127.0.0.1`);
  return launchChromium(`--host-resolver-rules=${rules.join(",")}`);
}

/** Whether `launchBrowser` starts Firefox. */
export const isFirefox = process.env["TEST_BROWSER"] === "firefox";

/** Firefox as its makers publish it is driven by WebDriver BiDi, a standard, which this channel means. */
function launchFirefox(localHosts: readonly string[]): Promise<Browser> {
  return firefox.launch({
    executablePath: requireProgram("firefox-esr"),
    channel: "moz-firefox",
    firefoxUserPrefs: { "network.dns.localDomains": localHosts.join(",") },
  });
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
