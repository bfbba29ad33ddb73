import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { expect, it, onTestFinished } from "vitest";
import { listen } from "../../../common/platform/http/listen.ts";
import { silentLogger } from "../../testing/gateway-parts.ts";
import { answerDownload } from "./download.ts";
import type { AuthEnv } from "./hono-context.ts";
import { WholeAnswer } from "./whole-answer.ts";

/** Fetches a file whose texts fail after so many; errors before its head are answered as the routes of files answer them. */
async function fetchFailingAfter(texts: number, method = "GET"): Promise<{ status: number; text: string }> {
  const app = new Hono<AuthEnv>();
  app.onError((_, c) => c.text("the page about an error", 500));
  app.get("/", (c) => {
    const download = { name: "a.csv", texts: failingAfter(texts), ending: new AbortController() };
    return answerDownload(c, download, { logger: silentLogger });
  });
  const listener = getRequestListener((request, env) => app.fetch(request, env), { overrideGlobalObjects: false });
  const server = createServer({ ServerResponse: WholeAnswer }, (request, response) => void listener(request, response));
  onTestFinished(() => void server.close());
  const { port } = await listen(server, { host: "127.0.0.1", port: 0, variable: "PORT" });
  const answer = await fetch(`http://127.0.0.1:${port}/`, { method });
  return { status: answer.status, text: await answer.text() };
}

async function* failingAfter(texts: number): AsyncGenerator<string, void> {
  for (let text = 0; text < texts; text++) yield "a,b\r\n";
  throw new Error("a secret of the inside");
}

it.each([0, 1])("a file that fails after %i texts is answered with the page about an error", async (texts) => {
  expect(await fetchFailingAfter(texts)).toEqual({ status: 500, text: "the page about an error" });
});

it.each([2, 3, 10])("a file that fails after %i texts breaks off", async (texts) => {
  await expect(fetchFailingAfter(texts)).rejects.toThrow();
});

it("a request for the head makes no texts", async () => {
  expect(await fetchFailingAfter(0, "HEAD")).toEqual({ status: 200, text: "" });
});
