import { setImmediate } from "node:timers/promises";
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SourceFault } from "../../../common/chains/base/source-fault.ts";
import type { Snapshot } from "../../../common/contracts/source-snapshot.ts";
import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import {
  type ApplyCommitmentsRequest,
  ApplyCommitmentsRequestSchema,
  ApplyCommitmentsResponseSchema,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleStage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { commitment, commitments, hexId, snapshotOf, upserted } from "../testing/samples.ts";
import { clientWith } from "../testing/stub-client.ts";
import type { PublishTarget } from "./apply-calls.ts";
import { publish } from "./publish.ts";

const SALE = "0b8f6a52-7c1e-4d5e-9a55-0f3d8f0a9c11";
const target: PublishTarget = {
  saleUuid: SALE,
  leaseEpoch: 4n,
  revision: 10n,
  changeSetOpen: false,
  maxRows: 3,
  stage: "commitment",
  movePosition: false,
};
const forever = new AbortController().signal;

/** A service that counts a revision for each call or change set. The first calls fail with these errors. */
function service(errors: readonly Code[] = []) {
  const calls: ApplyCommitmentsRequest[] = [];
  const client = clientWith({
    applyCommitments: async (request) => {
      calls.push(create(ApplyCommitmentsRequestSchema, request));
      const code = errors[calls.length - 1];
      if (code !== undefined) throw new ConnectError("scripted", code);
      const isWhole = request.changeSet?.last ?? true;
      return create(ApplyCommitmentsResponseSchema, {
        revision: (request.expectedRevision ?? 0n) + (isWhole ? 1n : 0n),
      });
    },
  });
  const appliedRows: number[] = [];
  const run = (snapshot: Snapshot, change: Partial<PublishTarget> = {}, signal = forever) =>
    publish(client, { ...target, ...change }, snapshot, signal, (rows) => void appliedRows.push(rows));
  return { calls, appliedRows, run };
}

function rowsOf(calls: readonly ApplyCommitmentsRequest[]): readonly string[][] {
  return calls.map(({ upserts, removals }) => [
    ...upserts.map(({ sourceIndex }) => `+${sourceIndex}`),
    ...removals.map((id) => `-${Number(`0x${hexOfBytes(id)}`)}`),
  ]);
}

describe("publish", () => {
  it("sends rows that fit into one call without a change set", async () => {
    const { calls, appliedRows, run } = service();
    const differences = [upserted(commitment(0), commitment(1)), { upserts: [], removals: [hexId(9)] }];
    expect(await run(snapshotOf(differences))).toEqual({ revision: 11n, rows: 3, applied: true });
    expect(rowsOf(calls)).toEqual([["+0", "+1", "-9"]]);
    expect(appliedRows).toEqual([3]);
    expect(calls[0]).toMatchObject({
      saleUuid: SALE,
      leaseEpoch: 4n,
      expectedRevision: 10n,
      stage: SaleStage.COMMITMENT,
      sourcePosition: { height: 7n, hash: Uint8Array.from(Buffer.from(hexId(7), "hex")) },
    });
    expect(calls[0]?.changeSet).toBeUndefined();
  });

  it("sends more as the parts of one change set, all with the revision that the set began at", async () => {
    const { calls, appliedRows, run } = service();
    const differences = [upserted(...commitments(4)), { upserts: [], removals: [hexId(8), hexId(9), hexId(10)] }];
    expect(await run(snapshotOf(differences))).toEqual({ revision: 11n, rows: 7, applied: true });
    expect(rowsOf(calls)).toEqual([["+0", "+1", "+2"], ["+3", "-8", "-9"], ["-10"]]);
    expect(appliedRows).toEqual([3, 3, 1]);
    expect(calls.map(({ changeSet }) => [changeSet?.part, changeSet?.last])).toEqual([
      [0, false],
      [1, false],
      [2, true],
    ]);
    expect(new Set(calls.map(({ changeSet }) => changeSet?.changeSetUuid)).size).toBe(1);
    expect(new Set(calls.map(({ requestId }) => requestId)).size).toBe(3);
    expect(calls.map(({ expectedRevision }) => expectedRevision)).toEqual([10n, 10n, 10n]);
  });

  it("sends stage and position with every part", async () => {
    const { calls, run } = service();
    const position = { height: 12n, hash: "" };
    await run(snapshotOf([upserted(...commitments(7))], { position, stage: "settlement" }));
    expect(calls).toHaveLength(3);
    for (const call of calls) {
      expect(call).toMatchObject({
        stage: SaleStage.SETTLEMENT,
        sourcePosition: { height: 12n, hash: new Uint8Array() },
      });
    }
  });

  it("sends a thousand rows of a begun change set as soon as the service has room for them", async () => {
    const { calls, run } = service();
    const differences = (async function* () {
      yield upserted(...commitments(2_001));
      for (const from of [2_001, 2_501, 3_001]) {
        await setImmediate();
        yield upserted(...Array.from({ length: 500 }, (_, index) => commitment(from + index)));
      }
    })();
    expect(await run(snapshotOf([], { differences }), { maxRows: 2_000 })).toMatchObject({ rows: 3_501 });
    expect(calls.map(({ upserts, changeSet }) => [upserts.length, changeSet?.last])).toEqual([
      [2_000, false],
      [1_001, false],
      [500, true],
    ]);
  });

  it("keeps back a full call until it knows whether it is the last", async () => {
    const { calls, run } = service();
    await run(snapshotOf([upserted(...commitments(3))]));
    expect(calls.map(({ changeSet }) => changeSet)).toEqual([undefined]);
  });

  it("sends nothing if nothing changed, unless the position, the stage or an open change set requires it", async () => {
    const { calls, run } = service();
    expect(await run(snapshotOf([]))).toEqual({ revision: 10n, rows: 0, applied: false });
    expect(calls).toEqual([]);
    expect(await run(snapshotOf([]), { movePosition: true })).toEqual({ revision: 11n, rows: 0, applied: true });
    expect(await run(snapshotOf([], { stage: "done" }))).toMatchObject({ applied: true });
    expect(await run(snapshotOf([]), { changeSetOpen: true })).toMatchObject({ applied: true });
    expect(calls.map(({ changeSet }) => changeSet && [changeSet.part, changeSet.last])).toEqual([
      undefined,
      undefined,
      [0, true],
    ]);
  });

  it("replaces an abandoned change set by another one, even if one call would do", async () => {
    const { calls, run } = service();
    await run(snapshotOf([upserted(commitment(1))]), { changeSetOpen: true });
    expect(calls.map(({ changeSet }) => [changeSet?.part, changeSet?.last])).toEqual([[0, true]]);
  });

  it("sends no last part of a snapshot that turns out to be inconsistent", async () => {
    const { calls, run } = service();
    const fault = new SourceFault("torn", { remedy: "wait" });
    const differences = (function* () {
      yield upserted(...commitments(4));
      throw fault;
    })();
    await expect(run(snapshotOf(differences))).rejects.toBe(fault);
    expect(calls.map(({ changeSet }) => [changeSet?.part, changeSet?.last])).toEqual([[0, false]]);
  });

  it("sends nothing of a small snapshot that turns out to be inconsistent", async () => {
    const { calls, run } = service();
    const differences = (function* () {
      yield upserted(commitment(1));
      throw new SourceFault("torn", { remedy: "wait" });
    })();
    await expect(run(snapshotOf(differences), { changeSetOpen: true, movePosition: true })).rejects.toThrow("torn");
    expect(calls).toEqual([]);
  });
});

describe("publish, if the parts of a change set overtake each other", () => {
  /** A service that answers part 0 once part 1 has arrived. Like the real one, it refuses parts that come too early. */
  function overtaken(refusal?: Code) {
    const calls: [part: number | undefined, requestId: string | undefined, rows: number | undefined][] = [];
    const overtook = Promise.withResolvers<void>();
    let next = 0;
    const client = clientWith({
      applyCommitments: async ({ changeSet, requestId, upserts }) => {
        const part = changeSet?.part;
        calls.push([part, requestId, upserts?.length]);
        if (part === 0) await overtook.promise;
        else if (part === 1) overtook.resolve();
        if (part === 0 && refusal !== undefined) throw new ConnectError("refused", refusal);
        if (part !== next) throw new ConnectError(`the set continues with part ${next}`, Code.Aborted);
        next += 1;
        return create(ApplyCommitmentsResponseSchema, { revision: changeSet?.last ? 11n : 10n });
      },
    });
    const run = (rows: number) =>
      publish(client, target, snapshotOf([upserted(...commitments(rows))]), forever, () => undefined);
    return { calls, run };
  }

  it("repeats a part that arrived too early, with the same rows and request ID", async () => {
    const { calls, run } = overtaken();
    expect(await run(8)).toEqual({ revision: 11n, rows: 8, applied: true });
    const second = calls.filter(([part]) => part === 1);
    expect(second).toHaveLength(2);
    expect(second[1]).toEqual(second[0]);
    expect(calls.at(-1)).toEqual([2, expect.any(String), 2]);
  });

  it("repeats the last part as well", async () => {
    const { calls, run } = overtaken();
    expect(await run(4)).toEqual({ revision: 11n, rows: 4, applied: true });
    expect(calls.map(([part]) => part)).toEqual([0, 1, 1]);
  });

  it("doesn't repeat a part if the previous one was refused", async () => {
    const { calls, run } = overtaken(Code.Aborted);
    await expect(run(9)).rejects.toMatchObject({ code: Code.Aborted });
    expect(calls.map(([part]) => part)).toEqual([0, 1]);
  });
});

describe("publish, if a call fails", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** The outcome of a promise after all timers have run. */
  async function outcome<Result>(promise: Promise<Result>): Promise<Result | Error> {
    const settled = promise.catch((error: Error) => error);
    await vi.runAllTimersAsync();
    return settled;
  }

  it.each([Code.Unavailable, Code.DeadlineExceeded, Code.Internal, Code.Unknown])(
    "repeats a call whose outcome isn't known (%s) with the same request ID",
    async (code) => {
      const { calls, appliedRows, run } = service([code, code]);
      expect(await outcome(run(snapshotOf([upserted(commitment(1))])))).toMatchObject({ revision: 11n, rows: 1 });
      expect(calls).toHaveLength(3);
      expect(calls[1]).toEqual(calls[0]);
      expect(calls[2]).toEqual(calls[0]);
      expect(appliedRows).toEqual([1]);
    },
  );

  it("gives up after some attempts", async () => {
    const { calls, run } = service(Array(20).fill(Code.Unavailable));
    expect(await outcome(run(snapshotOf([], { stage: "done" })))).toMatchObject({ code: Code.Unavailable });
    expect(calls).toHaveLength(6);
  });

  it.each([Code.Aborted, Code.InvalidArgument, Code.FailedPrecondition, Code.NotFound])(
    "doesn't repeat a call that was refused (%s)",
    async (code) => {
      const { calls, run } = service([code]);
      expect(await outcome(run(snapshotOf([upserted(...commitments(9))])))).toMatchObject({ code });
      // The second call was already running.
      expect(calls.map(({ changeSet }) => changeSet?.part)).toEqual([0, 1]);
    },
  );

  it("doesn't wait for another attempt once it must stop", async () => {
    const ending = new AbortController();
    const { calls, run } = service([Code.Unavailable]);
    const settled = run(snapshotOf([upserted(commitment(1))]), {}, ending.signal).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(50);
    ending.abort(new Error("the end"));
    expect(await settled).toMatchObject({ message: "the end" });
    expect(calls).toHaveLength(1);
  });
});
