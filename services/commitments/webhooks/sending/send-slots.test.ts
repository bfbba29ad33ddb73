import { expect, it } from "vitest";
import type { DueEndpoint } from "../due-deliveries-store.ts";
import { SendSlots } from "./send-slots.ts";

const SHARES = { total: 6, perHost: 3, perFounder: 2 };

function endpoints(count: number, founder: string, host: (index: number) => string): DueEndpoint[] {
  return Array.from({ length: count }, (_, index) => ({
    endpointUuid: `${founder}-${index}`,
    founder,
    host: host(index),
  }));
}

const uuids = (started: readonly DueEndpoint[]) => started.map(({ endpointUuid }) => endpointUuid);

it("leaves room beside a founder with many hosts", () => {
  const slots = new SendSlots(SHARES);
  const many = endpoints(20, "many", (index) => `${index}.example`);
  const other = endpoints(1, "other", () => "other.example");
  expect(uuids(slots.begin([...many, ...other]))).toEqual(["many-0", "many-1", "other-0"]);
  expect(slots.begin([...many, ...other])).toEqual([]);
});

it("leaves room beside a host of many founders", () => {
  const slots = new SendSlots(SHARES);
  const many = Array.from({ length: 9 }, (_, index) => endpoints(1, `f${index}`, () => "slow.example")).flat();
  const other = endpoints(1, "other", () => "other.example");
  expect(uuids(slots.begin([...many, ...other]))).toEqual(["f0-0", "f1-0", "f2-0", "other-0"]);
});

it("begins no more than there are slots", () => {
  const slots = new SendSlots(SHARES);
  const many = Array.from({ length: 9 }, (_, index) => endpoints(1, `f${index}`, () => `${index}.example`)).flat();
  expect(slots.begin(many)).toHaveLength(6);
  expect(slots.isFull).toBe(true);
  slots.end("f3-0");
  expect(uuids(slots.begin(many))).toEqual(["f6-0"]);
});

it("gives each a slot before any has its second one, however long its backlog", () => {
  const slots = new SendSlots({ total: 1, perHost: 1, perFounder: 1 });
  const due = endpoints(3, "founder", () => "host.example");
  const order: string[] = [];
  for (let round = 0; round < 6; round += 1) {
    const [started = ""] = uuids(slots.begin(due));
    order.push(started);
    slots.end(started);
  }
  expect(order).toEqual(["founder-0", "founder-1", "founder-2", "founder-0", "founder-1", "founder-2"]);
});
