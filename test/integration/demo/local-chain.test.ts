import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findAnvil } from "../../../services/demo/chain/find-anvil.ts";
import { startLocalChain } from "../../../services/demo/chain/local-chain.ts";
import { freePort } from "../../support/processes/free-port.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { POLL_TIMEOUT_MS } from "../../support/repository/polling.ts";

const anvil = findAnvil();
const deadline = () => AbortSignal.timeout(POLL_TIMEOUT_MS);

describe.skipIf(anvil === undefined)("the demo's local chain (anvil)", () => {
  let folder: TemporaryFolder;
  const start = (port = 0, command = anvil ?? "") =>
    startLocalChain({ command, folder: folder.path, port, genesisSeconds: 1_790_000_000 });
  const state = () => join(folder.path, "state.json");

  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  it("keeps its blocks after a clean end", async () => {
    const first = await start();
    await call(first.url, "anvil_mine", ["0x5"]);
    await first.stop(deadline());
    const second = await start();
    expect(await call(second.url, "eth_blockNumber", [])).toBe("0x5");
    await second.stop(deadline());
  });

  it("forgets old blocks, in memory and on disk, and continues with the newest ones on the same port", async () => {
    const chain = await start();
    await call(chain.url, "anvil_mine", ["0x5dc"]);
    const newest = await call(chain.url, "eth_getBlockByNumber", ["0x5dc", false]);
    await chain.forgetOldBlocks();
    expect(await call(chain.url, "eth_blockNumber", [])).toBe("0x5dc");
    expect(await call(chain.url, "eth_getBlockByNumber", ["0x5dc", false])).toEqual(newest);
    expect(await call(chain.url, "eth_getBlockByNumber", ["0x100", false])).toBeNull();
    await call(chain.url, "anvil_mine", ["0x1"]);
    await chain.stop(deadline());
    const { blocks } = JSON.parse(await readFile(state(), "utf8"));
    expect(blocks.length).toBeLessThan(1_030);
  });

  it("begins a new chain if the state can't be read, and keeps the old file under another name", async () => {
    await writeFile(state(), '{"block":');
    const chain = await start();
    expect(await call(chain.url, "eth_blockNumber", [])).toBe("0x0");
    await chain.stop(deadline());
    expect(await readFile(`${state()}.unreadable`, "utf8")).toBe('{"block":');
  });

  it("keeps the state if that isn't the reason why anvil doesn't start", async () => {
    await writeFile(state(), "{}");
    await expect(start(0, join(folder.path, "missing"))).rejects.toThrow("ENOENT");
    const port = await freePort();
    const taken = createServer().listen(port, "127.0.0.1");
    await expect(start(port)).rejects.toThrow();
    taken.close();
    expect(existsSync(state())).toBe(true);
  });

  it("answers programs and wallets, by HTTP and WebSocket, but no web page", async () => {
    const chain = await start();
    const { port } = new URL(chain.url);
    const status = async (headers: Record<string, string>): Promise<number> => {
      const sent = request({ host: "127.0.0.1", port, method: "POST", headers: { ...JSON_BODY, ...headers } });
      sent.end(JSON.stringify(CHAIN_ID));
      const [response] = (await once(sent, "response")) as [IncomingMessage];
      response.resume();
      return response.statusCode ?? 0;
    };
    expect(await status({})).toBe(200);
    expect(await status({ host: `localhost:${port}`, origin: "chrome-extension://abcdef" })).toBe(200);
    expect(await status({ origin: "https://evil.example" })).toBe(403);
    expect(await status({ origin: `http://127.0.0.1:${port}` })).toBe(403);
    expect(await status({ origin: "null" })).toBe(403);
    expect(await status({ host: `rebound.example:${port}` })).toBe(403);
    expect(await upgrade(port, {})).toBe(101);
    expect(await upgrade(port, { origin: "https://evil.example" })).toBe(403);
    await chain.stop(deadline());
  });

  it("is killed at the deadline", async () => {
    const deaf = join(folder.path, "deaf");
    const script = "#!/bin/sh\ntrap '' TERM\necho 'Listening on 127.0.0.1:1'\nwhile :; do sleep 1; done\n";
    await writeFile(deaf, script, { mode: 0o700 });
    const chain = await start(0, deaf);
    await chain.stop(AbortSignal.timeout(50));
    const late = await start(0, deaf);
    await late.stop(AbortSignal.abort());
  });
});

const CHAIN_ID = { jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] };
const JSON_BODY = { "content-type": "application/json" };
const WEB_SOCKET = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
};

/** Asks for a WebSocket. @returns the answer's status */
async function upgrade(port: string, headers: Record<string, string>): Promise<number> {
  const sent = request({ host: "127.0.0.1", port, headers: { ...WEB_SOCKET, ...headers } }).end();
  const [response] = (await Promise.race([once(sent, "upgrade"), once(sent, "response")])) as [IncomingMessage];
  sent.destroy();
  response.destroy();
  return response.statusCode ?? 0;
}

async function call(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  return (await response.json()).result;
}
