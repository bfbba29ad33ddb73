import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { AlertReason, AlertSubscription, BadStanding, Standing } from "./alert.ts";
import { ALERT_REASONS } from "./alert.ts";
import { type JudgedSale, judgeSubscription } from "./judge-subscription.ts";

const MINUTE_MS = 60_000n;
const HOUR_MS = 60n * MINUTE_MS;
const DAY_MS = 24n * HOUR_MS;
const NOW_MS = 100n * DAY_MS;

type Known = Readonly<Record<string, BadStanding>>;
type Bids = Readonly<Record<string, Standing>>;

interface Given extends Partial<Omit<AlertSubscription, "known" | "reasons">> {
  readonly known?: Known;
  readonly reasons?: readonly AlertReason[];
}

function subscription({ known = {}, reasons = ALERT_REASONS, ...given }: Given = {}): AlertSubscription {
  return {
    accountUuid: randomUUID(),
    alertUuid: randomUUID(),
    language: "en",
    isNew: false,
    closingAskedAtMs: 0n,
    mailedAtMs: {},
    version: 1n,
    ...given,
    known: new Map(Object.entries(known)),
    reasons: new Set(reasons),
  };
}

function sale(given: Partial<JudgedSale> = {}): JudgedSale {
  const nowMs = given.nowMs ?? NOW_MS;
  const usual = { isSilent: false, phase: "open", closesAtMs: undefined } as const;
  return { ...usual, ...given, nowMs };
}

function judge(given: Given, bids: Bids | undefined, at: Partial<JudgedSale> = {}) {
  const standings = bids && new Map(Object.entries(bids));
  const { alerts, known, isChanged } = judgeSubscription(subscription(given), standings, sale(at));
  return { alerts, known: Object.fromEntries(known), isChanged };
}

const recently = { position: NOW_MS - HOUR_MS + 1n };

describe("mails about bids", () => {
  it.each<[string, Given, Bids, readonly string[], Known]>([
    ["a bid that is in", {}, { a: "in" }, [], {}],
    ["a bid that is out now", {}, { a: "out" }, ["out"], { a: "out" }],
    ["a bid at the margin now", {}, { a: "at_margin" }, ["at_margin"], { a: "at_margin" }],
    ["one out and one at the margin", {}, { a: "at_margin", b: "out" }, ["out"], { a: "at_margin", b: "out" }],
    ["a bid that is out still", { known: { a: "out" } }, { a: "out" }, [], { a: "out" }],
    ["a bid that falls from the margin", { known: { a: "at_margin" } }, { a: "out" }, ["out"], { a: "out" }],
    ["a bid that is better", { known: { a: "out" } }, { a: "at_margin" }, [], { a: "at_margin" }],
    ["a bid that is in again", { known: { a: "out" } }, { a: "in" }, [], {}],
    [
      "a second bid",
      { known: { a: "out" } },
      { a: "out", b: "at_margin" },
      ["at_margin"],
      { a: "out", b: "at_margin" },
    ],
    ["a bid that is gone", { known: { a: "out" } }, {}, [], {}],
    ["within the hour", { mailedAtMs: recently }, { a: "out" }, [], {}],
    [
      "within the hour, from the margin",
      { mailedAtMs: recently, known: { a: "at_margin" } },
      { a: "out" },
      [],
      { a: "at_margin" },
    ],
    ["at the hour", { mailedAtMs: { position: NOW_MS - HOUR_MS } }, { a: "out" }, ["out"], { a: "out" }],
    ["who hasn't asked for it", { reasons: ["closing", "settled"] }, { a: "out" }, [], {}],
    ["who asked just now", { isNew: true }, { a: "out" }, [], { a: "out" }],
  ])("%s", (_title, given, bids, alerts, known) => {
    expect(judge(given, bids)).toMatchObject({ alerts, known });
  });

  it("says nothing of what has changed during a fault, then or later", () => {
    const after = judge({}, { a: "out" }, { isSilent: true });
    expect(after).toMatchObject({ alerts: [], known: { a: "out" } });
    expect(judge({ known: after.known as Known }, { a: "out" }).alerts).toEqual([]);
  });

  it("keeps what people know where prices decide nothing", () => {
    expect(judge({ known: { a: "out" } }, undefined, { phase: "closed" })).toEqual({
      alerts: [],
      known: { a: "out" },
      isChanged: false,
    });
  });

  it("mails at most once an hour of a bid that changes every minute, and the last change too", () => {
    let known: Known = {};
    let mailedAtMs: AlertSubscription["mailedAtMs"] = {};
    const mailed: number[] = [];
    const last = 3 * 60;
    for (let minute = 0; minute <= last; minute++) {
      const nowMs = NOW_MS + BigInt(minute) * MINUTE_MS;
      const bids = new Map([["a", minute % 2 === 0 && minute < last - 10 ? "in" : "out"] as const]);
      const judged = judgeSubscription(subscription({ known, mailedAtMs }), bids, sale({ nowMs }));
      if (judged.alerts.length > 0) mailed.push(minute);
      known = Object.fromEntries(judged.known);
      mailedAtMs = judged.mailedAtMs;
    }
    expect(mailed).toEqual([1, 61, 121]);
  });
});

describe("mails about the closing", () => {
  const closesAtMs = NOW_MS + HOUR_MS;
  const late = 10n * MINUTE_MS;
  it.each<[string, Given, Partial<JudgedSale>, readonly string[]]>([
    ["an hour before", {}, { closesAtMs }, ["closes_in_hour"]],
    ["a day before", {}, { closesAtMs: NOW_MS + DAY_MS }, ["closes_in_day"]],
    ["after a fault of minutes", {}, { closesAtMs: NOW_MS + DAY_MS - late + 1n, isSilent: true }, ["closes_in_day"]],
    ["after a longer fault", {}, { closesAtMs: NOW_MS + DAY_MS - late }, []],
    ["before that", {}, { closesAtMs: NOW_MS + DAY_MS + 1n }, []],
    ["a sale without a time", {}, {}, []],
    ["a sale that has closed already", {}, { closesAtMs, phase: "closed" }, []],
    ["a sale that hasn't opened", {}, { closesAtMs, phase: "upcoming" }, []],
    ["who asked just then", { closingAskedAtMs: NOW_MS }, { closesAtMs }, ["closes_in_hour"]],
    ["who asked since", { closingAskedAtMs: NOW_MS + 1n }, { closesAtMs }, []],
    ["who hasn't asked for it", { reasons: ["position"] }, { closesAtMs }, []],
    ["who was told already", { mailedAtMs: { closing: NOW_MS } }, { closesAtMs, nowMs: NOW_MS + MINUTE_MS }, []],
    [
      "who was told the day before",
      { mailedAtMs: { closing: NOW_MS - 23n * HOUR_MS } },
      { closesAtMs },
      ["closes_in_hour"],
    ],
  ])("%s", (_title, given, at, alerts) => {
    expect(judge(given, {}, at).alerts).toEqual(alerts);
  });
});

describe("mails about the settlement", () => {
  it.each<[string, Given, Partial<JudgedSale>, readonly string[]]>([
    ["once it is settled", {}, {}, ["settled"]],
    ["also if that came during a fault", {}, { isSilent: true }, ["settled"]],
    ["to one who hasn't asked for it", { reasons: ["closing"] }, {}, []],
    ["to one who was told", { mailedAtMs: { settled: NOW_MS - 2n * DAY_MS } }, {}, []],
    ["before it is", {}, { phase: "closed" }, []],
  ])("%s", (_title, given, at, alerts) => {
    expect(judge(given, undefined, { phase: "settled", ...at }).alerts).toEqual(alerts);
  });
});
