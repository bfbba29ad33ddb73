import { afterAll, beforeAll, expect, it } from "vitest";
import { mockFiles } from "../../scripts/client-package.ts";
import { type RunningMock, startMock } from "./index.ts";

const SALE = "99999999-9999-4999-8999-999999999999";
const READ = `/svc/v1/public/sales/${SALE}`;

let mock: RunningMock;
beforeAll(async () => {
  mock = await startMock({ ...mockFiles(), states: { Stage: "closed" } });
});
afterAll(() => mock.close());

const stageOf = async (path: string, headers: Record<string, string> = {}) =>
  (await (await fetch(mock.url + path, { headers })).json()).Stage;
const send = (body: string, headers: Record<string, string> = {}) =>
  fetch(`${mock.url}/mock/states`, { method: "POST", body, headers, redirect: "manual" });
const FORM = { "content-type": "application/x-www-form-urlencoded" };

it("states are chosen at the start, for all requests, or for one, and a reset leads back to the start", async () => {
  expect(await stageOf(READ)).toBe("closed");
  expect((await (await send("Stage=settlement", FORM)).json()).states).toEqual({ Stage: "settlement" });
  expect(await stageOf(READ)).toBe("settlement");
  expect(await stageOf(`${READ}?mock.Stage=done`)).toBe("done");
  expect(await stageOf(READ, { "tidemark-mock": "Stage=cancellation" })).toBe("cancellation");
  expect(await stageOf(READ)).toBe("settlement");
  await send("Stage=", FORM);
  expect(await stageOf(READ)).toBe("commitment");
  await fetch(`${mock.url}/mock/states`, { method: "DELETE" });
  expect(await stageOf(READ)).toBe("closed");
});

it("a state that there isn't is refused with the field and what is possible", async () => {
  const wrong = await send(JSON.stringify({ FailureReason: "bad-luck", Mood: "good", delay: "soon" }), {
    "content-type": "application/json",
  });
  expect(wrong.status).toBe(400);
  const { code, message, details } = await wrong.json();
  expect(code).toBe("invalid_argument");
  expect(details.violations.map(({ field }: { field: string }) => field)).toEqual(["FailureReason", "Mood", "delay"]);
  expect(message).toContain("FailureReason: must be one of sale-not-active, unknown, outside-time-window");
  expect(message).toMatch(/Mood: is no state; there are Tenancy, .*, status, delay, and status\.CALL/);
  expect(message).toContain("delay: must be an integer from 0 to 120000");
  const inQuery = await fetch(`${mock.url}${READ}?mock.status.sales=418`);
  expect([inQuery.status, (await inQuery.json()).message]).toEqual([
    400,
    "status.sales: must be one of 200, 304, 400, 404, 500, 503, 504",
  ]);
  await expect(startMock({ ...mockFiles(), states: { entities: "ten" } })).rejects.toMatchObject({
    body: { message: "entities: must be one of none, one, several" },
  });
  expect((await send("[", { "content-type": "application/json" })).status).toBe(400);
});

it("the page has a field for each state, and leads back to itself", async () => {
  const page = await (await fetch(`${mock.url}/mock`)).text();
  const { possible } = await (await fetch(`${mock.url}/mock/states`)).json();
  for (const { name } of possible) expect(page).toContain(`name="${name}"`);
  const sent = await send("Stage=done", { ...FORM, accept: "text/html" });
  expect([sent.status, sent.headers.get("location")]).toEqual([303, "/mock"]);
  expect(await (await fetch(`${mock.url}/mock`)).text()).toContain("<option selected>done</option>");
  expect((await fetch(mock.url, { redirect: "manual" })).headers.get("location")).toBe("/mock");
});

it("an answer is as slow as chosen", async () => {
  const slow = fetch(`${mock.url}${READ}?mock.delay=60000`, { signal: AbortSignal.timeout(100) });
  await expect(slow).rejects.toThrow();
  expect((await fetch(`${mock.url}${READ}?mock.delay=1`)).status).toBe(200);
});

it("a tag that the client has is answered without a body, until something changes", async () => {
  const url = `${mock.url}${READ}`;
  const tag = (await fetch(url)).headers.get("etag") ?? "";
  const again = await fetch(url, { headers: { "if-none-match": tag } });
  expect([again.status, await again.text()]).toEqual([304, ""]);
  const other = await fetch(`${url}?mock.Tenancy=live`, { headers: { "if-none-match": tag } });
  expect(other.status).toBe(200);
});

it("pages of any origin may call it, with the header for states", async () => {
  const preflight = await fetch(`${mock.url}/svc/v1/my-profile`, { method: "OPTIONS" });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-headers")).toBe("*, Authorization");
  expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
});

it("another path, method, body or content is refused as at the service", async () => {
  const post = (path: string, body: string, type = "application/json") =>
    fetch(mock.url + path, { method: "POST", body, headers: { "content-type": type } });
  const statuses = [
    await fetch(`${mock.url}/svc/v2/nothing`),
    await fetch(`${mock.url}/svc/v1/public/read-sale`),
    await post("/svc/v1/public/read-sale", "[]"),
    await post("/svc/v1/public/read-sale", "{}", "text/plain"),
    await post("/svc/v1/public/read-sale", JSON.stringify({ More: "x".repeat(17_000) })),
    await fetch(`${mock.url}/svc/v1/public/sales/unknown`),
    await fetch(`${mock.url}/oauth/authorize?response_type=code&redirect_uri=javascript:alert(1)`),
    await post("/oauth/token", "grant_type=password", "application/x-www-form-urlencoded"),
  ].map(({ status }) => status);
  expect(statuses).toEqual([404, 405, 400, 415, 413, 400, 400, 400]);
});

it("examples name the origin at which the mock was called", async () => {
  const metadata = await (await fetch(`${mock.url}/.well-known/oauth-authorization-server`)).json();
  expect(metadata).toMatchObject({ issuer: mock.url, token_endpoint: `${mock.url}/oauth/token` });
});
