import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { JsonRpcUrl } from "./json-rpc-url.ts";

const limits = { requestTimeoutMs: 5000, maxAnswerBytes: 100 };
const signal = new AbortController().signal;

async function listening(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("JsonRpcUrl", () => {
  it.each([
    [200, '{"id":1}', { id: 1 }],
    [500, '{"error":{}}', { error: {} }],
    [200, '{"id":', undefined],
    [200, '"text"', undefined],
    [200, "", undefined],
    [302, "", undefined],
  ])("describes status %i and body %j", async (status, text, body) => {
    await using server = createServer((_, response) => void response.writeHead(status).end(text));
    const url = new JsonRpcUrl(`http://${await listening(server)}/`, limits);
    expect(await url.post("{}", signal)).toEqual({ status, body });
  });

  it("describes the answer to a batch", async () => {
    await using server = createServer((_, response) => void response.end('[{"id":1}]'));
    const url = new JsonRpcUrl(`http://${await listening(server)}/`, limits);
    expect(await url.post("[]", signal)).toEqual({ status: 200, body: undefined, batch: [{ id: 1 }] });
  });

  it("refuses a body that is too large", async () => {
    await using server = createServer((_, response) => void response.end("x".repeat(101)));
    const url = new JsonRpcUrl(`http://${await listening(server)}/`, limits);
    await expect(url.post("{}", signal)).rejects.toMatchObject({ kind: "too_large" });
  });

  it("keeps only the code of a failure", async () => {
    const server = createServer();
    const host = await listening(server);
    server.close();
    const url = new JsonRpcUrl(`http://${host}/secret?key=secret`, limits);
    const failure: unknown = await url.post("{}", signal).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      kind: "unreachable",
      message: expect.stringMatching(/ECONNREFUSED|can.t be reached/),
    });
    expect(failure).not.toHaveProperty("cause");
    expect(inspect(failure)).not.toContain("key=");
  });

  it("removes parts of the URL that a node repeats in its message, including short keys", () => {
    const url = new JsonRpcUrl("https://user:p%40ss@node.example/v2/k3y.A~b?token=to+ken9", limits);
    expect(url.redactSecrets("the key k3y.A~b of user with p@ss or p%40ss has no plan for to ken9")).toBe(
      "the key … of … with … or … has no plan for …",
    );
    expect(url.redactSecrets("v2 is fine")).toBe("v2 is fine");
  });

  it.each(["no url", "http://user:100%@node.example"])("refuses %j", (url) => {
    expect(() => new JsonRpcUrl(url, limits)).toThrow(/URL|URI/);
  });
});
