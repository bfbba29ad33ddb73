import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  type ReportSourceStatusRequest,
  ReportSourceStatusRequestSchema,
  ReportSourceStatusResponseSchema,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { Reading } from "../source/source-reader.ts";
import { readingOf } from "../testing/samples.ts";
import { clientWith } from "../testing/stub-client.ts";
import { SourceReports } from "./source-reports.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

/** A service that keeps what it is told; what it answers can be changed. */
function service(sweepRequests = 0n) {
  const told: ReportSourceStatusRequest[] = [];
  const world = { sweepRequests, isDown: false, hold: Promise.resolve() };
  const client = clientWith({
    reportSourceStatus: async (request: MessageInitShape<typeof ReportSourceStatusRequestSchema>) => {
      told.push(create(ReportSourceStatusRequestSchema, request));
      await world.hold;
      if (world.isDown) throw new ConnectError("scripted", Code.Unavailable);
      return create(ReportSourceStatusResponseSchema, { sweepRequests: world.sweepRequests });
    },
  });
  const reports = new SourceReports(client, { uuid: "sale", sweepRequests }, 4n, new AbortController().signal);
  return { told, world, reports };
}

async function finish(reports: SourceReports, reading: Reading): Promise<void> {
  reports.begin(reading);
  reports.end(reading);
  await reports.healthy();
}

describe("SourceReports", () => {
  it("tells how the reading went", async () => {
    const { told, reports } = service();
    await finish(reports, readingOf([], { warning: () => "the total differs" }));
    expect(told).toMatchObject([
      {
        saleUuid: "sale",
        leaseEpoch: 4n,
        headHeight: 9n,
        fault: "",
        warning: "the total differs",
        sweep: { rowsDone: 2n, rowsTotal: 3n, running: false, sweepRequests: 0n },
      },
    ]);
  });

  it("tells the head also where there was nothing to read", async () => {
    const { told, reports } = service();
    await finish(reports, readingOf([]));
    reports.looked(30n);
    await reports.fault("late", undefined);
    expect(told.map(({ headHeight }) => headHeight)).toEqual([9n, 30n]);
  });

  it("tells at once what is wrong with the nodes, beside what is wrong with the source", async () => {
    const { told, reports } = service();
    await finish(reports, readingOf([], { warning: () => "the total differs" }));
    for (const warning of ["a.test is behind", "a.test is behind", ""]) {
      reports.nodes(warning);
      await reports.healthy();
    }
    await finish(reports, readingOf([]));
    const warnings = told.map(({ warning }) => warning);
    expect(warnings).toEqual(["the total differs", "the total differs; a.test is behind", "the total differs", ""]);
  });

  it("repeats what hasn't changed every five seconds only", async () => {
    const { told, reports } = service();
    await reports.healthy();
    vi.advanceTimersByTime(4_999);
    await reports.healthy();
    expect(told).toHaveLength(1);
    vi.advanceTimersByTime(1);
    await reports.healthy();
    expect(told).toHaveLength(2);
  });

  it("tells at once of a fault, another one, and its end", async () => {
    const { told, reports } = service();
    await reports.healthy();
    await reports.fault("the node is down", undefined);
    await reports.fault("the node is down", undefined);
    await reports.fault("the node lies", undefined);
    await reports.healthy();
    expect(told.map(({ fault }) => fault)).toEqual(["", "the node is down", "the node lies", ""]);
  });

  it("keeps how long the node wants to be left alone until the next success", async () => {
    const { reports } = service();
    await reports.fault("slow down", 7_000);
    expect(reports.retryAfterMs).toBe(7_000);
    await reports.healthy();
    expect(reports.retryAfterMs).toBeUndefined();
  });

  it("cuts texts to what the contract takes", async () => {
    const { told, reports } = service();
    await finish(reports, readingOf([], { warning: () => "w".repeat(5_000) }));
    await reports.fault("f".repeat(5_000), undefined);
    expect(told[1]).toMatchObject({ warning: "w".repeat(1_000), fault: "f".repeat(1_000) });
  });

  it("tells the progress of a sweep, one report at a time, and without being waited for", async () => {
    const { told, world, reports } = service();
    let rows = 0n;
    const reading = readingOf([], { rowsRead: () => rows });
    let release = () => {};
    world.hold = new Promise((resolve) => {
      release = resolve;
    });
    reports.begin(reading);
    reports.progress(reading);
    rows = 1n;
    reports.progress(reading);
    expect(told.map(({ sweep }) => sweep)).toMatchObject([{ rowsDone: 0n, rowsTotal: 3n, running: true }]);
    rows = 3n;
    reports.end(reading);
    release();
    await reports.healthy();
    expect(told[1]).toMatchObject({ sweep: { rowsDone: 3n, running: false } });
    expect(told).toHaveLength(2);
  });

  it("leaves the last sweep as it was while a partial reading goes on", async () => {
    const { told, reports } = service();
    await finish(reports, readingOf([]));
    const partial = readingOf([], { kind: "partial", count: 99n, headHeight: 12n });
    reports.begin(partial);
    reports.progress(partial);
    reports.end(partial);
    vi.advanceTimersByTime(5_000);
    await reports.healthy();
    expect(told).toHaveLength(2);
    expect(told[1]).toMatchObject({ headHeight: 12n, sweep: { rowsTotal: 3n, running: false } });
  });

  it("ends a sweep that failed", async () => {
    const { told, reports } = service();
    reports.begin(readingOf([]));
    await reports.fault("torn", undefined);
    expect(told).toMatchObject([{ fault: "torn", sweep: { running: false } }]);
  });

  it("goes on where reports fail, and says it again the next time", async () => {
    const { told, world, reports } = service();
    world.isDown = true;
    await reports.fault("the node is down", undefined);
    await reports.fault("the node is down", undefined);
    world.isDown = false;
    await reports.fault("the node is down", undefined);
    await reports.fault("the node is down", undefined);
    expect(told).toHaveLength(3);
  });
});

describe("the sweeps that are asked for", () => {
  it("are wanted until a sweep ends that began after the request", async () => {
    const { told, world, reports } = service();
    const sweep = readingOf([]);
    reports.begin(sweep);
    world.sweepRequests = 1n;
    reports.end(sweep);
    expect(reports.sweepIsWanted()).toBe(false);
    await reports.healthy();
    expect(reports.sweepIsWanted()).toBe(true);
    await finish(reports, readingOf([], { kind: "partial" }));
    expect(reports.sweepIsWanted()).toBe(true);
    await finish(reports, readingOf([]));
    expect(reports.sweepIsWanted()).toBe(false);
    expect(told.at(-1)).toMatchObject({ sweep: { sweepRequests: 1n } });
  });

  it("aren't answered by a sweep that was under way, though its progress was told", async () => {
    const { world, reports } = service();
    const sweep = readingOf([]);
    reports.begin(sweep);
    world.sweepRequests = 1n;
    reports.progress(sweep);
    reports.end(sweep);
    await reports.healthy();
    expect(reports.sweepIsWanted()).toBe(true);
  });

  it("aren't answered by a sweep that failed", async () => {
    const { world, reports } = service();
    await finish(reports, readingOf([]));
    world.sweepRequests = 1n;
    reports.begin(readingOf([]));
    await reports.fault("torn", undefined);
    expect(reports.sweepIsWanted()).toBe(true);
  });

  it("are answered by the first sweep of a new reader where they were made before it began", async () => {
    const { reports } = service(5n);
    expect(reports.sweepIsWanted()).toBe(false);
    await finish(reports, readingOf([]));
    expect(reports.sweepIsWanted()).toBe(false);
  });
});
