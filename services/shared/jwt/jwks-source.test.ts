import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { fileJwks, rpcJwks, urlJwks } from "./jwks-source.ts";

const JWKS = { keys: [] };

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`;
}

describe("urlJwks", () => {
  it("reads the keys at a URL", async () => {
    const url = await serve((_, response) => response.end(JSON.stringify(JWKS)));
    expect(await urlJwks(url)()).toEqual(JWKS);
  });

  it.each<[string, RequestListener]>([
    ["an error", (_, response) => response.writeHead(503).end("{}")],
    ["a redirect", (_, response) => response.writeHead(302, { location: "/" }).end()],
    ["no JSON", (_, response) => response.end("<html>")],
    ["more than 64 KiB", (_, response) => response.end(JSON.stringify({ keys: ["x".repeat(65_536)] }))],
  ])("refuses %s", async (_, listener) => {
    await expect(urlJwks(await serve(listener))()).rejects.toThrow();
  });
});

describe("fileJwks", () => {
  it("reads the keys of a file, as it is now", async () => {
    const folder = await mkdtemp(join(tmpdir(), "jwks-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const source = fileJwks(join(folder, "jwks.json"));
    await expect(source()).rejects.toThrow("ENOENT");
    await writeFile(join(folder, "jwks.json"), JSON.stringify(JWKS));
    expect(await source()).toEqual(JWKS);
  });
});

describe("rpcJwks", () => {
  it("asks auth", async () => {
    const getJwks = async () => ({ jwksJson: JSON.stringify(JWKS) }) as never;
    expect(await rpcJwks({ getJwks })()).toEqual(JWKS);
  });
});
