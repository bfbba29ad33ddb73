import { expect, it } from "vitest";
import { ChangedSales, type ChangedSalesAnswer } from "./changed-sales.ts";

function started() {
  const clock = { now: 10_000 };
  const cursors: string[] = [];
  const script: { answer: ChangedSalesAnswer | "absent" | Error; tookMs: number; meanwhile: () => void } = {
    answer: { changed: new Map(), complete: true, cursor: "next" },
    tookMs: 1,
    meanwhile: () => {},
  };
  const list = async (cursor: string) => {
    cursors.push(cursor);
    clock.now += script.tookMs;
    script.meanwhile();
    if (script.answer instanceof Error) throw script.answer;
    return script.answer;
  };
  return { clock, cursors, script, sales: new ChangedSales({ list, now: () => clock.now }) };
}

it("has what has changed since five seconds before the last question", async () => {
  const { sales, cursors } = started();
  expect(sales.since).toBeUndefined();
  expect(await sales.next()).toBeUndefined();
  expect(sales.since).toBe(5_000);
  expect(await sales.next()).toMatchObject({ since: 5_000, askedAt: 10_001 });
  expect(cursors).toEqual(["", "next"]);
});

it.each<[string, (script: ReturnType<typeof started>) => void]>([
  [
    "isn't complete",
    ({ script }) => Object.assign(script, { answer: { changed: new Map(), complete: false, cursor: "" } }),
  ],
  ["took more than 5 s", ({ script }) => Object.assign(script, { tookMs: 5_001 })],
  ["is of a service without the method", ({ script }) => Object.assign(script, { answer: "absent" })],
  [
    "came while another call failed",
    ({ script, sales }) => Object.assign(script, { meanwhile: () => sales.restart() }),
  ],
])("has nothing where the answer %s", async (_, change) => {
  const all = started();
  await all.sales.next();
  change(all);
  expect(await all.sales.next()).toBeUndefined();
});

it("begins anew after a failure, a late answer and a failure of another call", async () => {
  const { sales, script, cursors } = started();
  await sales.next();
  const { answer } = script;
  script.answer = new Error("away");
  await expect(sales.next()).rejects.toThrow("away");
  expect(sales.isReady).toBe(true);
  script.answer = answer;
  expect(await sales.next()).toBeUndefined();
  script.tookMs = 5_001;
  expect(await sales.next()).toBeUndefined();
  script.tookMs = 1;
  expect(await sales.next()).toBeUndefined();
  sales.restart();
  expect(await sales.next()).toBeUndefined();
  expect(await sales.next()).toBeDefined();
  expect(cursors).toEqual(["", "next", "", "next", "", "", "next"]);
});

it("isn't ready while it asks, and for a minute after it met a service without the method", async () => {
  const { sales, script, clock } = started();
  script.answer = "absent";
  const asking = sales.next();
  expect(sales.isReady).toBe(false);
  await asking;
  expect(sales.isReady).toBe(false);
  clock.now += 60_000;
  expect(sales.isReady).toBe(true);
});
