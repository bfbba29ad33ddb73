import { describe, expect, it } from "vitest";
import { KEY_LEAD_MS, RETIRED_KEY_MS } from "../base/lifetimes.ts";
import {
  isEmptyPlan,
  planKeys,
  planRemoval,
  planRotation,
  type RemovedKeys,
  type ScheduledKey,
} from "./key-schedule.ts";

const HOUR = 3_600_000n;
const ROTATION = 24n * HOUR;
const NOW = 1_000n * HOUR;

const active = (ageMs: bigint): ScheduledKey => ({
  keyId: "active",
  status: "active",
  createdAtMs: NOW - ageMs - HOUR,
  activatedAtMs: NOW - ageMs,
});
const next = (ageMs: bigint): ScheduledKey => ({ keyId: "next", status: "next", createdAtMs: NOW - ageMs });
const retired = (ageMs: bigint, keyId = "retired"): ScheduledKey => ({
  keyId,
  status: "retired",
  createdAtMs: 0n,
  activatedAtMs: 1n,
  retiredAtMs: NOW - ageMs,
});

const nothing = { remove: [], retire: [], create: [] };
const takeover = { remove: [], retire: ["active"], activate: "next", create: ["next"] };

describe("planKeys", () => {
  it.each<[string, readonly ScheduledKey[], object]>([
    ["makes the first keys", [], { ...nothing, create: ["active", "next"] }],
    ["leaves young keys alone", [active(0n), next(0n)], nothing],
    ["changes nothing until a key's time is over", [active(ROTATION - 1n), next(HOUR)], nothing],
    ["rotates when it is", [active(ROTATION), next(HOUR)], takeover],
    ["rotates to a key as old as the lead", [active(ROTATION), next(KEY_LEAD_MS)], takeover],
    ["waits for a key that verifiers may not know", [active(ROTATION), next(KEY_LEAD_MS - 1n)], nothing],
    ["makes a next key where there is none", [active(0n)], { ...nothing, create: ["next"] }],
    ["does so before a rotation that is due", [active(ROTATION)], { ...nothing, create: ["next"] }],
    ["lets the next key sign where none does", [next(0n)], { ...nothing, activate: "next", create: ["next"] }],
    ["keeps a retired key while its tokens live", [active(0n), next(0n), retired(RETIRED_KEY_MS - 1n)], nothing],
    ["removes it after", [active(0n), next(0n), retired(RETIRED_KEY_MS)], { ...nothing, remove: ["retired"] }],
    [
      "does several things at once",
      [active(ROTATION), next(HOUR), retired(RETIRED_KEY_MS, "old"), retired(0n, "young")],
      { ...takeover, remove: ["old"] },
    ],
  ])("%s", (_, keys, plan) => {
    expect(planKeys(keys, NOW, ROTATION)).toEqual(plan);
  });

  it("plans nothing more once its plan was carried out", () => {
    let keys: readonly ScheduledKey[] = [];
    for (let nowMs = NOW; nowMs < NOW + 100n * HOUR; nowMs += HOUR) {
      const plan = planKeys(keys, nowMs, ROTATION);
      keys = carryOut(keys, plan, nowMs);
      expect(planKeys(keys, nowMs, ROTATION)).toEqual(nothing);
      expect(keys.map(({ status }) => status).filter((status) => status !== "retired")).toEqual(
        expect.arrayContaining(["active", "next"]),
      );
    }
    expect(keys).toHaveLength(2);
  });
});

describe("planRotation", () => {
  it("makes the next key the active one before its time", () => {
    expect(planRotation([active(0n), next(KEY_LEAD_MS)], NOW)).toEqual(takeover);
  });

  it.each<[string, readonly ScheduledKey[]]>([
    ["a next key that verifiers may not know", [active(ROTATION), next(KEY_LEAD_MS - 1n)]],
    ["no next key", [active(ROTATION)]],
  ])("refuses %s, and says when it will be possible", (_, keys) => {
    expect(() => planRotation(keys, NOW)).toThrow(
      expect.objectContaining({ code: "failed_precondition", message: expect.stringMatching(/rotate after 1970-/) }),
    );
  });
});

describe("isEmptyPlan", () => {
  it.each([
    [nothing, true],
    [takeover, false],
    [{ ...nothing, remove: ["a"] }, false],
    [{ ...nothing, retire: ["a"] }, false],
    [{ ...nothing, create: ["next" as const] }, false],
    [{ ...nothing, activate: "a" }, false],
  ])("%j: %s", (plan, empty) => {
    expect(isEmptyPlan(plan as Parameters<typeof isEmptyPlan>[0])).toBe(empty);
  });
});

/** Applies a plan as the store does. */
function carryOut(
  keys: readonly ScheduledKey[],
  { remove, retire, activate, create }: ReturnType<typeof planKeys>,
  nowMs: bigint,
): readonly ScheduledKey[] {
  const kept = keys
    .filter(({ keyId }) => !remove.includes(keyId))
    .map((key): ScheduledKey => {
      if (retire.includes(key.keyId)) return { ...key, status: "retired", retiredAtMs: nowMs };
      return key.keyId === activate ? { ...key, status: "active", activatedAtMs: nowMs } : key;
    });
  const created = create.map(
    (status): ScheduledKey => ({
      keyId: `${status} ${nowMs}`,
      status,
      createdAtMs: nowMs,
      ...(status === "active" ? { activatedAtMs: nowMs } : {}),
    }),
  );
  return [...kept, ...created];
}

describe("planRemoval", () => {
  const keys = [next(0n), active(0n), retired(0n)];
  const lost = (...remove: string[]) => ({ ...nothing, remove });
  it.each<[string, RemovedKeys, readonly ScheduledKey[], object]>([
    ["only removes a retired key", ["retired"], keys, lost("retired")],
    ["replaces the next one", ["next"], keys, { ...lost("next"), create: ["next"] }],
    ["lets the next one sign at once", ["active"], keys, { ...lost("active"), activate: "next", create: ["next"] }],
    ["makes a new active one without it", ["active"], [active(0n)], { ...lost("active"), create: ["active", "next"] }],
    ["begins anew without all", "all", keys, { ...lost("next", "active", "retired"), create: ["active", "next"] }],
    ["removes nothing that isn't there", ["other"], keys, nothing],
  ])("%s", (_, removed, given, plan) => {
    expect(planRemoval(given, removed)).toEqual(plan);
  });
});
