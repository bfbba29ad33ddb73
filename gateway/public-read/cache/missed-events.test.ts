import { beforeEach, describe, expect, it } from "vitest";
import { SILENT_BUS_MS } from "../../../common/platform/bus/silence.ts";
import { SALE, saleAt } from "../../testing/fake-commitments.ts";
import { gatewayParts } from "../../testing/gateway-parts.ts";
import { MissedEvents } from "./missed-events.ts";

describe("MissedEvents", () => {
  let nowMs: number;
  let isConnected: boolean;
  /** The times at which a server was left. */
  let left: number[];
  let missed: MissedEvents;

  beforeEach(() => {
    nowMs = 0;
    isConnected = true;
    left = [];
    const bus = { isConnected: () => isConnected, reconnect: () => void left.push(nowMs) };
    missed = new MissedEvents({ bus, now: () => nowMs });
  });

  /** Finds changes every second, for some seconds. */
  function findChanges(seconds: number): void {
    for (let second = 0; second < seconds; second++) {
      missed.noteChange();
      nowMs += 1_000;
    }
  }

  it("leaves a server whose events don't come, after five seconds", () => {
    findChanges(SILENT_BUS_MS / 1_000);
    expect(left).toEqual([]);
    findChanges(1);
    expect(left).toEqual([SILENT_BUS_MS]);
  });

  it("stays while any event comes, also where single changes are found before theirs", () => {
    for (let round = 0; round < 100; round++) {
      missed.noteChange();
      nowMs += 3_000;
      missed.noteEvent();
      nowMs += 3_000;
    }
    expect(left).toEqual([]);
  });

  it("stays for a single change whose event is lost, however long nothing follows", () => {
    missed.noteChange();
    nowMs += 60 * 60_000;
    expect(left).toEqual([]);
  });

  it("leaves ever more rarely while no server has anything, and soon again once one had", () => {
    findChanges(60 * 60);
    const waits = left.slice(1).map((time, index) => time - (left[index] ?? 0));
    expect(waits.slice(0, 3)).toEqual([30_000, 60_000, 120_000]);
    expect(waits.at(-1)).toBe(10 * 60_000);
    missed.noteEvent();
    nowMs += 10 * 60_000;
    left = [];
    findChanges(60);
    expect(left).toHaveLength(2);
  });

  it("counts nothing that is missing while the bus isn't connected", () => {
    findChanges(4);
    isConnected = false;
    findChanges(4);
    isConnected = true;
    findChanges(5);
    expect(left).toEqual([]);
    new MissedEvents({ bus: undefined, now: () => nowMs }).noteChange();
  });
});

it("is told of each later revision that the refresher finds, and of nothing else", async () => {
  let found = 0;
  const { refresher, cache, clock, fake } = gatewayParts({}, undefined, undefined, { onMissed: () => found++ });
  await cache.read(SALE);
  const refreshed = async (revision: bigint, generation = 1n) => {
    fake.sales.set(SALE, saleAt(revision, generation));
    clock.now += 400;
    await refresher.refresh();
    return found;
  };
  expect([
    await refreshed(1n),
    await refreshed(2n),
    await refreshed(2n),
    await refreshed(1n),
    await refreshed(5n),
  ]).toEqual([0, 1, 1, 1, 2]);
  // A restored database begins another generation, of which there may be no event.
  expect(await refreshed(1n, 2n)).toBe(2);
});
