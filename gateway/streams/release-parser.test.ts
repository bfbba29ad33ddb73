import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import { openConnection } from "../testing/raw-connection.ts";
import { releaseParser } from "./release-parser.ts";

const server = createServer();
afterEach(() => void server.close());

/** Opens an answer that doesn't end, on a connection whose parser was released. */
async function openAnswer(): Promise<{ client: Socket; socket: Socket; response: ServerResponse }> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = await openConnection((server.address() as AddressInfo).port);
  client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const [{ socket }, response] = await once(server, "request");
  response.useChunkedEncodingByDefault = false;
  response.writeHead(200, { Connection: "close" });
  response.write("begun");
  releaseParser(socket);
  await new Promise(setImmediate);
  return { client, socket, response };
}

it.skipIf("Deno" in globalThis)("frees the parser, and the answer goes on whatever the client sends", async () => {
  const { client, socket, response } = await openAnswer();
  expect(Reflect.get(socket, "parser")).toBeNull();
  client.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx");
  client.write("no HTTP at all\r\n\r\n");
  await once(socket, "data");
  response.end(", ended");
  const chunks: Buffer[] = [];
  for await (const chunk of client) chunks.push(chunk);
  expect(Buffer.concat(chunks).toString()).toMatch(/begun, ended$/);
});

it.skipIf("Deno" in globalThis)("leaves the end of the connection to be noticed", async () => {
  const { client, response } = await openAnswer();
  client.destroy();
  await once(response, "close");
  expect(response.writableFinished).toBe(false);
});
