import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { rawConnection } from "../../testing/raw-connection.ts";
import { universalRequest } from "./universal-request.ts";

it("the body of a client that was gone before it was read breaks off", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { socket } = await rawConnection((server.address() as AddressInfo).port);
  socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{");
  const [request, response] = (await once(server, "request")) as [IncomingMessage, ServerResponse];
  const closed = once(request, "close").catch(() => {});
  socket.destroy();
  await closed;
  const body = universalRequest(request, response, 1_024)?.body;
  if (body === undefined || body === null) throw new Error("the request has a body");
  await expect(Array.fromAsync(body as AsyncIterable<Uint8Array>)).rejects.toThrow();
});
