import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Snapshot } from "../../../common/contracts/source-snapshot.ts";
import {
  type ReportSourceStatusRequest,
  ReportSourceStatusRequestSchema,
  ReportSourceStatusResponseSchema,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { snapshotOf } from "../testing/samples.ts";
import { clientWith } from "../testing/stub-client.ts";
import { SourceReports } from "./source-reports.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

/** A service that keeps the reports. Its answers can be changed. */
function service(sweepRequests = 0n) {
  const reported: ReportSourceStatusRequest[] = [];
  const world = { sweepRequests, isDown: false, hold: Promise.resolve() };
  const client = clientWith({
    reportSourceStatus: async (request: MessageInitShape<typeof ReportSourceStatusRequestSchema>) => {
      reported.push(create(ReportSourceStatusRequestSchema, request));
      await world.hold;
      if (world.isDown) throw new ConnectError("scripted", Code.Unavailable);
      return create(ReportSourceStatusResponseSchema, { sweepRequests: world.sweepRequests });
    },
  });
  const shownChain = { chainId: 8453n, contractUrl: "https://explorer.test/0xa1" };
  const sale = { uuid: "sale", sweepRequests, shownChain };
  const reports = new SourceReports(client, sale, 4n, new AbortController().signal);
  return { reported, world, reports };
}

async function finish(reports: SourceReports, snapshot: Snapshot): Promise<void> {
  reports.begin(snapshot);
  reports.end(snapshot);
  await reports.healthy(undefined);
}

describe("SourceReports", () => {
  it("say how reading went", async () => {
    const { reported, reports } = service();
    await finish(reports, snapshotOf([], { warning: () => "the total differs" }));
    expect(reported).toMatchObject([
      {
        saleUuid: "sale",
        leaseEpoch: 4n,
        headHeight: 9n,
        fault: "",
        warning: "the total differs",
        sweep: { rowsDone: 2n, rowsTotal: 3n, running: false, sweepRequests: 0n },
        chain: { chainId: 8453n, contractUrl: "https://explorer.test/0xa1" },
      },
    ]);
  });

  it("have the head even if there was nothing to read", async () => {
    const { reported, reports } = service();
    await finish(reports, snapshotOf([]));
    reports.headSeen(30n);
    await reports.fault("late", undefined);
    expect(reported.map(({ headHeight }) => headHeight)).toEqual([9n, 30n]);
  });

  it("have problems of the nodes at once, beside those of the source", async () => {
    const { reported, reports } = service();
    await finish(reports, snapshotOf([], { warning: () => "the total differs" }));
    for (const warning of ["a.test is behind", "a.test is behind", ""]) {
      reports.nodesWarning(warning);
      await reports.healthy(undefined);
    }
    await finish(reports, snapshotOf([]));
    const warnings = reported.map(({ warning }) => warning);
    expect(warnings).toEqual(["the total differs", "the total differs; a.test is behind", "the total differs", ""]);
  });

  it("repeat an unchanged status only every two seconds", async () => {
    const { reported, reports } = service();
    await reports.healthy(undefined);
    vi.advanceTimersByTime(1_999);
    await reports.healthy(undefined);
    expect(reported).toHaveLength(1);
    vi.advanceTimersByTime(1);
    await reports.healthy(undefined);
    expect(reported).toHaveLength(2);
  });

  it("say at which block the store was equal to the source, every two seconds while the block moves", async () => {
    const { reported, reports } = service();
    const at = (height: bigint) => ({
      position: { height, hash: "01ff", timeSeconds: 1_700_000_000n + height },
      readIntervalMs: 1_500.4,
    });
    await reports.healthy(at(7n));
    vi.advanceTimersByTime(1_000);
    await reports.healthy(at(8n));
    vi.advanceTimersByTime(1_000);
    await reports.healthy(at(9n));
    vi.advanceTimersByTime(2_000);
    await reports.healthy(undefined);
    await reports.fault("the node is down", undefined);
    const seen = reported.map(({ asOf, blockTimeSeconds, readInterval }) => [asOf, blockTimeSeconds, readInterval]);
    const interval = { seconds: 1n, nanos: 500_000_000 };
    const hash = new Uint8Array([1, 255]);
    expect(seen).toMatchObject([
      [{ height: 7n, hash }, 1_700_000_007n, interval],
      [{ height: 9n, hash }, 1_700_000_009n, interval],
      [undefined, undefined, undefined],
      [undefined, undefined, undefined],
    ]);
  });

  it("say that a block has no hash and no known time", async () => {
    const { reported, reports } = service();
    await reports.healthy({ position: { height: 7n, hash: "" }, readIntervalMs: 1e12 });
    expect(reported[0]).toMatchObject({
      asOf: { height: 7n, hash: new Uint8Array() },
      readInterval: { seconds: 86_400n },
    });
    expect(reported[0]?.blockTimeSeconds).toBeUndefined();
  });

  it("have a fault, another one, and its end at once", async () => {
    const { reported, reports } = service();
    await reports.healthy(undefined);
    await reports.fault("the node is down", undefined);
    await reports.fault("the node is down", undefined);
    await reports.fault("the node lies", undefined);
    await reports.healthy(undefined);
    expect(reported.map(({ fault }) => fault)).toEqual(["", "the node is down", "the node lies", ""]);
  });

  it("keep the wait that a node asked for until the next success", async () => {
    const { reports } = service();
    await reports.fault("slow down", 7_000);
    expect(reports.retryAfterMs).toBe(7_000);
    await reports.healthy(undefined);
    expect(reports.retryAfterMs).toBeUndefined();
  });

  it("shorten texts to the limit of the RPC", async () => {
    const { reported, reports } = service();
    await finish(reports, snapshotOf([], { warning: () => "w".repeat(5_000) }));
    await reports.fault("f".repeat(5_000), undefined);
    expect(reported[1]).toMatchObject({ warning: "w".repeat(1_000), fault: "f".repeat(1_000) });
  });

  it("have the progress of a sweep, one report at a time, without delaying it", async () => {
    const { reported, world, reports } = service();
    let rows = 0n;
    const snapshot = snapshotOf([], { rowsRead: () => rows });
    let release = () => {};
    world.hold = new Promise((resolve) => {
      release = resolve;
    });
    reports.begin(snapshot);
    reports.progress(snapshot);
    rows = 1n;
    reports.progress(snapshot);
    expect(reported.map(({ sweep }) => sweep)).toMatchObject([{ rowsDone: 0n, rowsTotal: 3n, running: true }]);
    rows = 3n;
    reports.end(snapshot);
    release();
    await reports.healthy(undefined);
    expect(reported[1]).toMatchObject({ sweep: { rowsDone: 3n, running: false } });
    expect(reported).toHaveLength(2);
  });

  it("keep the last sweep unchanged during a partial read", async () => {
    const { reported, reports } = service();
    await finish(reports, snapshotOf([]));
    const partial = snapshotOf([], { kind: "partial", count: 99n, headHeight: 12n });
    reports.begin(partial);
    reports.progress(partial);
    reports.end(partial);
    vi.advanceTimersByTime(5_000);
    await reports.healthy(undefined);
    expect(reported).toHaveLength(2);
    expect(reported[1]).toMatchObject({ headHeight: 12n, sweep: { rowsTotal: 3n, running: false } });
  });

  it("end a sweep that failed", async () => {
    const { reported, reports } = service();
    reports.begin(snapshotOf([]));
    await reports.fault("torn", undefined);
    expect(reported).toMatchObject([{ fault: "torn", sweep: { running: false } }]);
  });

  it("are sent one at a time, of those that come meanwhile the newest", async () => {
    const { reported, world, reports } = service();
    const answer = Promise.withResolvers<void>();
    world.hold = answer.promise;
    const sent = ["first", "second", "third"].map((fault) => reports.fault(fault, undefined));
    expect(reported.map(({ fault }) => fault)).toEqual(["first"]);
    answer.resolve();
    await Promise.all(sent);
    expect(reported.map(({ fault }) => fault)).toEqual(["first", "third"]);
  });

  it("continue if a report fails, and say the same the next time", async () => {
    const { reported, world, reports } = service();
    world.isDown = true;
    await reports.fault("the node is down", undefined);
    await reports.fault("the node is down", undefined);
    world.isDown = false;
    await reports.fault("the node is down", undefined);
    await reports.fault("the node is down", undefined);
    expect(reported).toHaveLength(3);
  });
});

describe("requested sweeps", () => {
  it("are due until a sweep ends that began after the request", async () => {
    const { reported, world, reports } = service();
    const sweep = snapshotOf([]);
    reports.begin(sweep);
    world.sweepRequests = 1n;
    reports.end(sweep);
    expect(reports.isSweepRequested()).toBe(false);
    await reports.healthy(undefined);
    expect(reports.isSweepRequested()).toBe(true);
    await finish(reports, snapshotOf([], { kind: "partial" }));
    expect(reports.isSweepRequested()).toBe(true);
    await finish(reports, snapshotOf([]));
    expect(reports.isSweepRequested()).toBe(false);
    expect(reported.at(-1)).toMatchObject({ sweep: { sweepRequests: 1n } });
  });

  it("aren't done by a sweep that was running before, though its progress was reported", async () => {
    const { world, reports } = service();
    const sweep = snapshotOf([]);
    reports.begin(sweep);
    world.sweepRequests = 1n;
    reports.progress(sweep);
    reports.end(sweep);
    await reports.healthy(undefined);
    expect(reports.isSweepRequested()).toBe(true);
  });

  it("aren't done by a sweep that failed", async () => {
    const { world, reports } = service();
    await finish(reports, snapshotOf([]));
    world.sweepRequests = 1n;
    reports.begin(snapshotOf([]));
    await reports.fault("torn", undefined);
    expect(reports.isSweepRequested()).toBe(true);
  });

  it("are done by the first sweep of a new reader if they were made before it began", async () => {
    const { reports } = service(5n);
    expect(reports.isSweepRequested()).toBe(false);
    await finish(reports, snapshotOf([]));
    expect(reports.isSweepRequested()).toBe(false);
  });
});
