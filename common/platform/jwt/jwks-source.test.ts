import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Code, ConnectError } from "@connectrpc/connect";
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

  it.each(["application/jwk-set+json", "application/json", "text/plain"])(
    "reads them from a server that offers only %s, and answers 406 to whoever doesn't accept it",
    async (type) => {
      const url = await serve(({ headers }, response) => {
        const accepted = (headers.accept ?? "").split(",").map((range) => range.split(";", 1)[0]?.trim());
        if (!accepted.some((range) => range === type || (type === "text/plain" && range === "*/*"))) {
          return void response.writeHead(406).end();
        }
        response.writeHead(200, { "content-type": type }).end(JSON.stringify(JWKS));
      });
      expect(await urlJwks(url)()).toEqual(JWKS);
    },
  );

  it.each<[string, RequestListener, object]>([
    [
      "an error",
      (_, response) => response.writeHead(406).end("{}"),
      { reason: "refused", message: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/jwks\.json answers 406$/) },
    ],
    ["a redirect", (_, response) => response.writeHead(302, { location: "/" }).end(), { reason: "refused" }],
    ["no JSON", (_, response) => response.end("<html>"), { reason: "malformed" }],
    [
      "more than 64 KiB",
      (_, response) => response.end(JSON.stringify({ keys: ["x".repeat(65_536)] })),
      { reason: "malformed" },
    ],
  ])("refuses %s", async (_, listener, error) => {
    await expect(urlJwks(await serve(listener))()).rejects.toMatchObject(error);
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

  it.each([
    [Code.PermissionDenied, { reason: "refused", message: "the service of the JWKS answers [permission_denied] no" }],
    [Code.Unavailable, { code: Code.Unavailable }],
  ])("distinguishes an error of auth from no answer: code %s", async (code, error) => {
    const getJwks = () => Promise.reject(new ConnectError("no", code));
    await expect(rpcJwks({ getJwks })()).rejects.toMatchObject(error);
  });
});
