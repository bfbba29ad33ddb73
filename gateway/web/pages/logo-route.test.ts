import { afterEach, beforeEach, expect, it } from "vitest";
import { type RunningGateway, runGateway } from "../../testing/gateway-parts.ts";

const HASH = "ab".repeat(32);
const IMAGE = new Uint8Array(2_000).fill(7);

let gateway: RunningGateway;
beforeEach(async () => {
  gateway = await runGateway();
  gateway.fake.logos.set(HASH, IMAGE);
});
afterEach(() => gateway.server.close(AbortSignal.abort()));

const get = (hash: string, method = "GET") =>
  fetch(`http://127.0.0.1:${gateway.server.port}/logos/${hash}`, { method });

it("answers a logo for any page, for ever, and as nothing but an image", async () => {
  const answer = await get(HASH);
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "image/png",
    "content-length": "2000",
    "cache-control": "public, max-age=31536000, immutable",
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "access-control-allow-origin": "*",
  });
  expect(new Uint8Array(await answer.arrayBuffer())).toEqual(IMAGE);
  const head = await get(HASH, "HEAD");
  expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, "2000", ""]);
});

it("answers what is wrong, and keeps no failure", async () => {
  expect((await get("cd".repeat(32))).status).toBe(404);
  expect((await get("..%2fsales")).status).toBe(400);
  expect((await get("123")).status).toBe(404);
  expect((await get(HASH, "POST")).status).toBe(405);
  gateway.fake.fail();
  const failed = await get(HASH);
  expect([failed.status, (await failed.json()).code]).toEqual([503, "unavailable"]);
  gateway.fake.recover();
  expect((await get(HASH)).status).toBe(200);
});
