import { expect, it } from "vitest";
import type { DueEndpoint } from "../due-deliveries-store.ts";
import { SendingTurns } from "./sending-turns.ts";

const SHARES = { total: 6, perHost: 3, perFounder: 2 };

function endpoints(count: number, founder: string, host: (index: number) => string): DueEndpoint[] {
  return Array.from({ length: count }, (_, index) => ({
    endpointUuid: `${founder}-${index}`,
    founder,
    host: host(index),
  }));
}

const uuids = (begun: readonly DueEndpoint[]) => begun.map(({ endpointUuid }) => endpointUuid);

it("leaves room beside a founder with many hosts", () => {
  const turns = new SendingTurns(SHARES);
  const many = endpoints(20, "many", (index) => `${index}.example`);
  const other = endpoints(1, "other", () => "other.example");
  expect(uuids(turns.begin([...many, ...other]))).toEqual(["many-0", "many-1", "other-0"]);
  expect(turns.begin([...many, ...other])).toEqual([]);
});

it("leaves room beside a host of many founders", () => {
  const turns = new SendingTurns(SHARES);
  const many = Array.from({ length: 9 }, (_, index) => endpoints(1, `f${index}`, () => "slow.example")).flat();
  const other = endpoints(1, "other", () => "other.example");
  expect(uuids(turns.begin([...many, ...other]))).toEqual(["f0-0", "f1-0", "f2-0", "other-0"]);
});

it("begins no more than there are slots", () => {
  const turns = new SendingTurns(SHARES);
  const many = Array.from({ length: 9 }, (_, index) => endpoints(1, `f${index}`, () => `${index}.example`)).flat();
  expect(turns.begin(many)).toHaveLength(6);
  expect(turns.isFull).toBe(true);
  turns.end("f3-0");
  expect(uuids(turns.begin(many))).toEqual(["f6-0"]);
});

it("gives each a turn before any has its second one, however long its backlog", () => {
  const turns = new SendingTurns({ total: 1, perHost: 1, perFounder: 1 });
  const due = endpoints(3, "founder", () => "host.example");
  const order: string[] = [];
  for (let turn = 0; turn < 6; turn += 1) {
    const [begun = ""] = uuids(turns.begin(due));
    order.push(begun);
    turns.end(begun);
  }
  expect(order).toEqual(["founder-0", "founder-1", "founder-2", "founder-0", "founder-1", "founder-2"]);
});
