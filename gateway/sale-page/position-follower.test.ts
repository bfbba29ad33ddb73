import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { PositionFollower } from "./browser/position-follower.js";

const URL = "/read-position";
const SALE = "11111111-1111-4111-8111-111111111111";
const WALLET = "0xab";
/** The longest time between two reads. */
const INTERVAL = 15_000;

const fetched = vi.fn<typeof fetch>();
const events: string[] = [];
let visitor: EventTarget & { hidden: boolean };
let follower: PositionFollower;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  events.length = 0;
  visitor = Object.assign(new EventTarget(), { hidden: false });
  vi.stubGlobal("document", visitor);
  vi.stubGlobal("fetch", fetched);
  fetched.mockReset().mockImplementation(async () => answer(200, { Commitments: [] }));
  follower = new PositionFollower(URL, SALE, {
    onPosition: ({ Commitments }, isLater) =>
      events.push(`position of ${Commitments.length}${isLater ? ", a later page" : ""}`),
    onCurrent: () => events.push("current"),
    onTrouble: (status) => events.push(`trouble ${status}`),
    onRefused: (rule) => events.push(`refused ${rule}`),
  });
});
afterEach(() => {
  follower.stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function answer(status: number, body?: object, headers: Record<string, string> = {}): Response {
  return new Response(body === undefined ? null : JSON.stringify(body), {
    status,
    headers: { etag: 'W/"1"', ...headers },
  });
}

const after = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const sent = (call: number) => fetched.mock.calls[call]?.[1];

it("reads at once, by a request that no log, cache or other site sees", async () => {
  follower.follow(WALLET);
  await after(0);
  expect(fetched.mock.calls[0]?.[0]).toBe(URL);
  expect(sent(0)).toMatchObject({
    method: "POST",
    body: JSON.stringify({ SaleUUID: SALE, Wallet: WALLET }),
    cache: "no-store",
    credentials: "omit",
    referrerPolicy: "no-referrer",
  });
  expect(events).toStrictEqual(["position of 0"]);
});

it("reads again after a change, at its pace however often the sale changes, and asks for what is new", async () => {
  follower.follow(WALLET);
  await after(0);
  await after(INTERVAL);
  expect(fetched).toHaveBeenCalledTimes(1);
  fetched.mockResolvedValue(answer(304));
  for (let changes = 0; changes < 90; changes++) {
    follower.note();
    await after(250);
  }
  // 22.5 seconds in a pace of 12.5.
  expect(fetched).toHaveBeenCalledTimes(3);
  expect(new Headers(sent(1)?.headers).get("if-none-match")).toBe('W/"1"');
  expect(events).toStrictEqual(["position of 0", "current", "current"]);
});

it("is quiet while the page is hidden, and reads once when it is seen again", async () => {
  follower.follow(WALLET);
  await after(0);
  visitor.hidden = true;
  follower.note();
  await after(10 * INTERVAL);
  expect(fetched).toHaveBeenCalledTimes(1);
  visitor.hidden = false;
  visitor.dispatchEvent(new Event("visibilitychange"));
  await after(INTERVAL);
  expect(fetched).toHaveBeenCalledTimes(2);
});

it.each([
  [429, "7", 10_500],
  [503, "1", 3_000],
  [500, undefined, 3_000],
])("says that it was refused with %i, and tries again by itself after Retry-After", async (status, seconds, wait) => {
  fetched.mockResolvedValueOnce(answer(status, {}, seconds === undefined ? {} : { "retry-after": seconds }));
  follower.follow(WALLET);
  await after(0);
  expect(events).toStrictEqual([`trouble ${status}`]);
  await after(wait - 1);
  expect(fetched).toHaveBeenCalledTimes(1);
  await after(1);
  expect(events).toStrictEqual([`trouble ${status}`, "position of 0"]);
});

it("asks ever less often while it is refused, without an answer too", async () => {
  fetched.mockRejectedValue(new TypeError("no network"));
  follower.follow(WALLET);
  await after(10 * 60_000);
  expect(events).toContain("trouble 0");
  // 3, 6, 12, 24, 48 s, then 90 s each.
  expect(fetched.mock.calls.length).toBeLessThan(15);
  expect(fetched.mock.calls.length).toBeGreaterThan(8);
});

it("gives up a wallet that breaks a rule, and names the rule", async () => {
  const violations = [{ field: "Wallet", rule: "address.checksum", message: "…" }];
  fetched.mockResolvedValueOnce(answer(400, { details: { violations } }));
  follower.follow(WALLET);
  await after(0);
  follower.note();
  await after(10 * INTERVAL);
  expect(fetched).toHaveBeenCalledTimes(1);
  expect(events).toStrictEqual(["refused address.checksum"]);
});

it("shows nothing of a wallet that somebody has left for another one", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  fetched.mockReturnValueOnce(promise);
  follower.follow(WALLET);
  follower.follow("0xcd", "page-2");
  resolve(answer(200, { Commitments: [1, 2, 3] }));
  await after(0);
  expect(events).toStrictEqual(["position of 0, a later page"]);
  expect(sent(1)?.body).toBe(JSON.stringify({ SaleUUID: SALE, Wallet: "0xcd", PageToken: "page-2" }));
  expect(new Headers(sent(1)?.headers).get("if-none-match")).toBeNull();
});
