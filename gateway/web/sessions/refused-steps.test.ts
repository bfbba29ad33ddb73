import { Hono } from "hono";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { AuthEnv } from "../http/hono-context.ts";
import { BrowserCookies } from "./browser-cookies.ts";
import { redirectRefused, shownRefusal } from "./refused-steps.ts";
import { canKeep } from "./sealed-refusal.ts";

const SECRET = "s".repeat(43);
const OTHER_SECRET = "t".repeat(43);
const REFUSAL = { problem: "wrong", values: { email: "alice@" } };
/** The part of Node's server that redirects use. */
const NODE = { outgoing: {} };
const TEN_MINUTES_MS = 600_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A site with one page, whose form is always refused with `refusal`, and another page. */
function site({ secret = SECRET, refusal = REFUSAL, authUrl = "https://auth.example" } = {}) {
  const dependencies = { cookies: new BrowserCookies(authUrl) };
  const app = new Hono<AuthEnv>();
  app.post("/page", (c) => redirectRefused(c, dependencies, { secret, address: "/page?next=email" }, refusal));
  app.get("/*", (c) => c.json(shownRefusal(c, dependencies, secret) ?? null));
  return app;
}

/** A refused form: where it leads, and the cookie that it sets. */
interface Refused {
  readonly address: string;
  readonly cookie: string;
  readonly setCookie: string;
}

async function refuse(app = site(), cookie = ""): Promise<Refused> {
  const answer = await app.request("/page", { method: "POST", headers: { cookie } }, NODE);
  expect(answer.status).toBe(303);
  const setCookie = answer.headers.getSetCookie().at(-1) ?? "";
  return { address: answer.headers.get("location") ?? "", setCookie, cookie: setCookie.split(";")[0] ?? "" };
}

async function shown(address: string, cookie: string, app = site()): Promise<unknown> {
  return (await app.request(address, { headers: { cookie } })).json();
}

it("leads to an address that shows the refusal as often as it is asked, and has none of it in it", async () => {
  const { address, cookie, setCookie } = await refuse();
  expect(address).toMatch(/^\/page\?next=email&step=[\w-]{22}$/);
  expect(setCookie).toMatch(
    /^__Host-tidemark-step-[\w-]{22}=[\w-]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  for (const time of [0, TEN_MINUTES_MS - 1]) {
    expect(await shown(address, cookie)).toEqual(REFUSAL);
    vi.advanceTimersByTime(time);
  }
  expect(Buffer.from(cookie.split("=")[1] ?? "", "base64url").toString("latin1")).not.toContain("alice");
});

it("shows it for ten minutes, however long the browser keeps the cookie", async () => {
  const { address, cookie } = await refuse();
  vi.advanceTimersByTime(TEN_MINUTES_MS);
  expect(await shown(address, cookie)).toBeNull();
});

it.each([
  ["without the cookie", { cookie: "" }],
  ["in another browser or session", { app: site({ secret: OTHER_SECRET }) }],
  ["on another page", { isElsewhere: true }],
  ["for a step without the right form", { address: "/page?step=x" }],
])("shows nothing %s", async (_, changed) => {
  const refused = await refuse();
  const { address, cookie, app, isElsewhere } = { app: site(), isElsewhere: false, ...refused, ...changed };
  expect(await shown(isElsewhere ? address.replace("/page", "/other") : address, cookie, app)).toBeNull();
});

it("shows nothing of a cookie of which any character was changed, or that belongs to another step", async () => {
  const [{ address, cookie }, other] = [await refuse(), await refuse()];
  const [name = "", value = ""] = cookie.split("=");
  for (let index = 0; index < value.length - 1; index += 1) {
    const changed = value[index] === "A" ? "B" : "A";
    expect(await shown(address, `${name}=${value.slice(0, index)}${changed}${value.slice(index + 1)}`)).toBeNull();
  }
  for (const text of ["", "A", "A".repeat(38), other.cookie.split("=")[1] ?? "", "é", `${"A".repeat(100_000)}`]) {
    expect(await shown(address, `${name}=${text}`)).toBeNull();
  }
});

it("leaves the longest values out where all of them are too much, so that a cookie has at most 1,062 characters", async () => {
  const values = { email: "a".repeat(254), text: "b".repeat(10_000), other: "c".repeat(400) };
  const { address, cookie } = await refuse(site({ refusal: { problem: "wrong", values } }));
  expect(await shown(address, cookie)).toEqual({
    problem: "wrong",
    values: { email: values.email, other: values.other },
  });
  expect(cookie.split("=")[1]?.length).toBeLessThanOrEqual(1_062);
});

it("says beforehand whether all of it can be kept", async () => {
  const { length } = JSON.stringify({ problem: "wrong", values: { email: "" }, expiresAt: 9_999_999_999_999 });
  const values = { email: "a".repeat(1_024 - length) };
  expect(canKeep({ problem: "wrong", values })).toBe(true);
  expect(canKeep({ problem: "wrong", values: { email: `${values.email}a` } })).toBe(false);
  const { address, cookie } = await refuse(site({ refusal: { problem: "wrong", values } }));
  expect(await shown(address, cookie)).toEqual({ problem: "wrong", values });
});

it("keeps three refusals in a browser, and drops the oldest for another one", async () => {
  const first = await refuse();
  const held = [first, await refuse(), await refuse()];
  const cookies = ["a=b", ...held.map(({ cookie }) => cookie)].join("; ");
  const answer = await site().request("/page", { method: "POST", headers: { cookie: cookies } }, NODE);
  const [dropped, set, ...more] = answer.headers.getSetCookie();
  expect([dropped, more]).toEqual([expect.stringContaining(`${first.cookie.split("=")[0]}=; Max-Age=0;`), []]);
  expect(set).toContain("Max-Age=600");
  const again = await site().request("/page", { method: "POST", headers: { cookie: held[0]?.cookie ?? "" } }, NODE);
  expect(again.headers.getSetCookie()).toHaveLength(1);
});

it("works on loopback http, whose cookies have no prefix", async () => {
  const app = site({ authUrl: "http://localhost:8080" });
  const { address, cookie } = await refuse(app);
  expect(cookie).toMatch(/^tidemark-step-/);
  expect(await shown(address, cookie, app)).toEqual(REFUSAL);
});
