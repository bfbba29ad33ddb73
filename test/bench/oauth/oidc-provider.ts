import { startService } from "../../support/processes/child-process.ts";
import { freePort } from "../../support/processes/free-port.ts";
import type { Contestant } from "./contestant.ts";

const READY = /^.*"msg":"oidc-provider listens".*$/;

/** Starts `oidc-provider` in its own process. */
export async function startOidcProvider(stack: AsyncDisposableStack): Promise<Contestant> {
  const port = await freePort();
  const main = "test/bench/oauth/oidc-provider-server.ts";
  const process = await startService({ main, env: { PORT: String(port) }, ready: READY });
  stack.defer(async () => void (await process.kill()));
  const url = `http://127.0.0.1:${port}`;
  return {
    authorizeUrl: `${url}/auth`,
    tokenUrl: `${url}/token`,
    processes: [{ name: "oidc-provider", pid: process.pid }],
    prepareCodes: async (count) => (await (await fetch(`${url}/prepare?count=${count}`)).text()).split("\n"),
    // A browser gets its session by its first authorization.
    browsers: async (count) => Array.from({ length: count }, () => ""),
  };
}
