import { describe, expect, it } from "vitest";
import type { Measurement, ProcessStatus } from "./process-status.ts";
import { processLines } from "./status-lines.ts";

const STATUS: ProcessStatus = {
  service: "auth",
  version: "1.2.3",
  runtime: "node 26.0.0",
  instance: "auth-0/1",
  startedAtMs: Date.UTC(2026, 0, 31, 12),
  notReady: [],
  measurements: [],
};
const RUNS = "version 1.2.3, node 26.0.0, since 2026-01-31T12:00:00Z";

const lineOf = (measurement: Omit<Measurement, "labels"> & Partial<Measurement>) =>
  processLines({ ...STATUS, measurements: [{ labels: {}, ...measurement }] }).slice(1);

describe("the lines of a process", () => {
  it("begin with its readiness", () => {
    expect(processLines(STATUS)).toEqual([{ level: "well", subject: "auth auth-0/1", text: `ready; ${RUNS}` }]);
    const notReady = [
      { name: "database", reason: "does not answer" },
      { name: "clock", reason: "is off" },
    ];
    expect(processLines({ ...STATUS, notReady })).toEqual([
      {
        level: "wrong",
        subject: "auth auth-0/1",
        text: `not ready: database: does not answer; clock: is off; ${RUNS}`,
      },
    ]);
  });

  it.each([
    ["tidemark_outbox_lag_seconds", 30, "well", "age of the oldest unpublished revision: 30 s"],
    ["tidemark_outbox_lag_seconds", 30.06, "wrong", "age of the oldest unpublished revision: 30.1 s; at most 30 s"],
    ["tidemark_outbox_lag_seconds", Number.NaN, "wrong", "age of the oldest unpublished revision: can't be read"],
    ["tidemark_outbox_backlog", 9_000, "well", "unpublished revisions: 9000"],
    ["tidemark_bus_connected", 1, "well", "connections to the bus: 1"],
    ["tidemark_bus_connected", 0, "wrong", "connections to the bus: 0; at least 1"],
    ["tidemark_process_clock_difference_seconds", -6, "wrong", "clock difference: -6 s; at most 5 s"],
  ])("judge %s of %d as %s", (metric, value, level, text) => {
    expect(lineOf({ metric, value })).toEqual([{ level, subject: "auth auth-0/1", text }]);
  });

  it("say of what a metric with labels is", () => {
    const labels = { chain: "base" };
    expect(lineOf({ metric: "tidemark_indexer_unhealthy_nodes", labels, value: 2 })).toEqual([
      { level: "wrong", subject: "auth auth-0/1", text: "chain base, nodes that aren't believed: 2; at most 0" },
    ]);
  });

  it("leave out a metric that only another version shows", () => {
    expect(lineOf({ metric: "tidemark_of_the_future", value: 1 })).toEqual([]);
  });
});
