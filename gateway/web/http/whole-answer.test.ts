import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { expect, it, onTestFinished } from "vitest";
import { listen } from "../../../common/platform/http/listen.ts";
import { silentLogger } from "../../testing/gateway-parts.ts";
import { exchange, openConnection } from "../../testing/raw-connection.ts";
import { deferAnswer } from "./deferred-answer.ts";
import { textStream } from "./text-stream.ts";
import { closeConnection, WholeAnswer } from "./whole-answer.ts";

const REQUEST = "GET / HTTP/1.0\r\nHost: x\r\n\r\n";

async function portOf(listener: RequestListener): Promise<number> {
  const server = createServer({ ServerResponse: WholeAnswer }, listener);
  onTestFinished(() => void server.close());
  return (await listen(server, { host: "127.0.0.1", port: 0, variable: "PORT" })).port;
}

async function* failingAfter(event: Promise<unknown>) {
  yield "a,b\r\n";
  await event;
  throw new Error("the source has failed");
}

async function* whole() {
  yield "a,b\r\n";
}

/** Answers with a stream, as the dashboard's files are answered. */
const streaming = (texts: () => AsyncGenerator<string, void>) =>
  getRequestListener(
    (_, { outgoing }) =>
      new Response(textStream(texts(), new AbortController(), { answer: outgoing, logger: silentLogger })),
    { overrideGlobalObjects: false },
  );

it("resets the connection of a client of HTTP/1.0 where a stream fails after its head", async () => {
  const arrived = Promise.withResolvers<void>();
  const socket = await openConnection(await portOf(streaming(() => failingAfter(arrived.promise))));
  socket.once("data", () => arrived.resolve());
  socket.write(REQUEST);
  await expect(once(socket, "end")).rejects.toThrow("ECONNRESET");
});

it("ends the connection of a stream that is whole", async () => {
  expect(await exchange(await portOf(streaming(whole)), REQUEST)).toMatchObject([{ status: 200 }]);
});

it("resets a connection that is closed while an answer is made", async () => {
  const port = await portOf((_, response) => {
    deferAnswer(response);
    response.writeHead(200).write("a,b\r\n", () => closeConnection(response.req.socket));
  });
  await expect(exchange(port, REQUEST)).rejects.toThrow("ECONNRESET");
});

it("ends a connection on which nothing is made", async () => {
  const server = createServer({ ServerResponse: WholeAnswer });
  onTestFinished(() => void server.close());
  const { port } = await listen(server, { host: "127.0.0.1", port: 0, variable: "PORT" });
  const [answers] = await Promise.all([
    exchange(port, ""),
    once(server, "connection").then(([socket]: Socket[]) => socket && closeConnection(socket)),
  ]);
  expect(answers).toEqual([]);
});
