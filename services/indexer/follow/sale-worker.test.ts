import { create } from "@bufbuild/protobuf";
import { Registry } from "prom-client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { NodeHead } from "../../../common/chains/base/node-head.ts";
import { SourceFault } from "../../../common/chains/base/source-fault.ts";
import type { TokenCheck } from "../../../common/chains/base/token-check.ts";
import type { StoredSale } from "../../../common/contracts/source-reader.ts";
import type { Snapshot } from "../../../common/contracts/source-snapshot.ts";
import { Semaphore } from "../../../common/platform/concurrency/semaphore.ts";
import { captureLog } from "../../../common/platform/testing/log-capture.ts";
import {
  AcquireSaleLeaseResponseSchema,
  ApplyCommitmentsResponseSchema,
  RenewSaleLeasesResponseSchema,
  ReportSourceStatusResponseSchema,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleSchema, SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { GetSaleResponseSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { SourcePositionSchema } from "../../../proto/gen/tidemark/commitments/v1/source_position_pb.ts";
import { type SourceSale, sourceSaleOf } from "../sending/source-sale.ts";
import { hexId, snapshotOf, USDX } from "../testing/samples.ts";
import { clientWith } from "../testing/stub-client.ts";
import { createIndexerMetrics } from "./indexer-metrics.ts";
import { SaleLeases } from "./sale-leases.ts";
import { SaleWorker } from "./sale-worker.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const POLL_MS = 1_000;
const fault = new SourceFault("slow down", { remedy: "wait", retryAfterMs: 10_000 });

/**
 * A worker whose reader answers with `next`; `reads` are the seconds at which it was called, `applies` the heights that the service was
 * given, of which it has the last one, and `confirmed` those of which the reader was told that the store is equal.
 */
function worker(
  next: (stored: StoredSale) => Promise<Snapshot | undefined>,
  nodes: readonly NodeHead[] = [],
  change: Partial<SourceSale> = {},
) {
  const source = { case: "evm" as const, value: { chain: "earth", contract: "0x" } };
  const sale = create(SaleSchema, {
    uuid: "sale",
    status: SaleStatus.OPEN,
    definition: { source, paymentTokens: [{ address: USDX, decimals: 18 }] },
  });
  const client = clientWith(
    {
      renewSaleLeases: async ({ leases = [] }) =>
        create(RenewSaleLeasesResponseSchema, { renewed: leases.map(({ saleUuid = "" }) => saleUuid) }),
      acquireSaleLease: async () => {
        calls.leases += 1;
        return create(AcquireSaleLeaseResponseSchema, { acquired: true, epoch: 1n });
      },
      applyCommitments: async ({ sourcePosition: position }) => {
        sale.sourcePosition = position === undefined ? undefined : create(SourcePositionSchema, position);
        sale.hasSnapshot = true;
        applies.push(sale.sourcePosition?.height);
        return create(ApplyCommitmentsResponseSchema, { revision: 1n });
      },
      reportSourceStatus: async ({ headHeight, warning }) => {
        calls.reports += 1;
        sourceWarnings.push(warning ?? "");
        if (headHeight !== undefined) heads.push(headHeight);
        await answers.held;
        return create(ReportSourceStatusResponseSchema);
      },
    },
    { getSale: async () => create(GetSaleResponseSchema, { sale }) },
  );
  const calls = { leases: 0, reports: 0 };
  /** Reports are answered once this is resolved. */
  const answers = { held: Promise.resolve() };
  const beginning = performance.now();
  const reads: number[] = [];
  const applies: (bigint | undefined)[] = [];
  const confirmed: bigint[] = [];
  const heads: bigint[] = [];
  const sourceWarnings: string[] = [];
  const tokens: TokenCheck[] = [];
  let announce = () => {};
  const reader = {
    next: (stored: StoredSale) => {
      reads.push((performance.now() - beginning) / 1_000);
      return next(stored);
    },
    upToDateAt: () => ({ height: 70n, hash: "" }),
    restMs: () => 0,
    headHeight: () => 77n,
    applied: ({ position }: Snapshot) => void confirmed.push(position.height),
    invalidate() {},
  };
  const chain = {
    pollIntervalMs: POLL_MS,
    createReader: () => reader,
    onHead: (listener: () => void) => {
      announce = listener;
      return () => {};
    },
    nodeHeads: () => nodes,
    check: () => Promise.reject(new Error("not part of this test")),
    checkTokens: async () => tokens,
    checkSigner: async () => ({}),
    checkFinality: async () => undefined,
    close: async () => {},
  };
  const { logger, lines } = captureLog();
  const metrics = createIndexerMetrics(new Registry());
  const options = {
    client,
    chain,
    semaphore: new Semaphore(1),
    leases: new SaleLeases({ client, holder: "h", durationMs: 60_000 }),
    leaseMs: 60_000,
    maxRows: 9,
    logger,
    metrics,
  };
  const parsed = sourceSaleOf(sale);
  if (parsed === undefined) throw new Error("a sale with a source was expected");
  const sourceSale = { ...parsed, ...change };
  const warnings = () => lines.filter(({ level }) => level === "warn");
  const snapshot = new SaleWorker(options, sourceSale);
  return {
    worker: snapshot,
    sale,
    calls,
    applies,
    confirmed,
    answers,
    reads,
    heads,
    sourceWarnings,
    warnings,
    announce: () => announce(),
    sourceSale,
    metrics,
    tokens,
  };
}

/** Lets a second pass, with a new head in the middle. */
async function second(announce: () => void): Promise<void> {
  await vi.advanceTimersByTimeAsync(500);
  announce();
  await vi.advanceTimersByTimeAsync(500);
}

describe("SaleWorker", () => {
  it("reads the contract at each new head, and without one after the poll interval", async () => {
    const { worker: snapshot, reads, announce } = worker(async () => undefined);
    await second(announce);
    expect(reads).toEqual([0, 0.5]);
    await vi.advanceTimersByTimeAsync(2_600);
    expect(reads).toEqual([0, 0.5, 1.5, 2.5, 3.5]);
    await snapshot.stop();
  });

  it("reads on while a report has no answer", async () => {
    const { worker: snapshot, reads, calls, answers } = worker(async () => undefined);
    answers.held = new Promise(() => undefined);
    await vi.advanceTimersByTimeAsync(3_600);
    expect([reads, calls.reports]).toEqual([[0, 1, 2, 3], 1]);
    await snapshot.stop();
  });

  it("ends the lease of a final sale only once its report is answered", async () => {
    const { worker: snapshot, calls, answers } = worker(async () => undefined, [], { final: true });
    const answer = Promise.withResolvers<void>();
    answers.held = answer.promise;
    while (calls.reports === 0) await vi.advanceTimersByTimeAsync(60_000);
    // Its release asks for a lease of the shortest duration.
    const before = calls.leases;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(calls.leases).toBe(before);
    answer.resolve();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(calls.leases).toBe(before + 1);
    await snapshot.stop();
  });

  it("waits as long as a node asked for, whatever heads come", async () => {
    const { worker: snapshot, reads, announce } = worker(() => Promise.reject(fault));
    for (let passed = 0; passed < 15; passed += 1) await second(announce);
    expect(reads).toEqual([0, 10]);
    await snapshot.stop();
  });

  it("tries again at once when the sale's definition has changed", async () => {
    const { worker: snapshot, reads, sourceSale } = worker(() => Promise.reject(fault));
    await vi.advanceTimersByTimeAsync(3_000);
    snapshot.listed({ ...sourceSale, definitionVersion: 2n });
    await vi.advanceTimersByTimeAsync(0);
    expect(reads).toEqual([0, 3]);
    await snapshot.stop();
  });

  it("warns of a payment token that has other decimals on its chain", async () => {
    const { worker: snapshot, sourceWarnings, tokens } = worker(async () => undefined);
    tokens.push({ address: USDX, decimals: 6 });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sourceWarnings.at(-1)).toContain(`${USDX} has 6 decimals on its chain, and 18 in the sale`);
    await snapshot.stop();
  });

  it("isn't late with a source that was never read and needs mending, but with one whose nodes do", async () => {
    const wrong = new SourceFault("no contract there", { remedy: "mend" });
    const locked = new SourceFault("access refused", { remedy: "mend", isOfNodes: true });
    for (const [failure, chains] of [
      [wrong, []],
      [locked, ["earth"]],
      [fault, ["earth"]],
    ] as const) {
      const { worker: snapshot, metrics } = worker(() => Promise.reject(failure));
      await vi.advanceTimersByTimeAsync(5_000);
      expect([...metrics.headLag.seconds().keys()]).toEqual(chains);
      await snapshot.stop();
    }
  });

  it("isn't late with a sale in which nothing can change any more", async () => {
    const { worker: snapshot, metrics, sourceSale } = worker(async () => undefined);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(metrics.headLag.seconds().size).toBe(1);
    snapshot.listed({ ...sourceSale, settled: true, final: true });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(metrics.headLag.seconds().size).toBe(0);
    await snapshot.stop();
  });

  it("waits longer with each failure, up to half a minute", async () => {
    // Without jitter.
    vi.spyOn(Math, "random").mockReturnValue(1);
    const failing = new SourceFault("down", { remedy: "wait" });
    const { worker: snapshot, reads } = worker(() => Promise.reject(failing));
    await vi.advanceTimersByTimeAsync(120_000);
    expect(reads).toEqual([0, 2, 6, 14, 30, 60, 90, 120]);
    await snapshot.stop();
  });

  it("reads again at once where that makes sense, but no more than three times", async () => {
    vi.spyOn(Math, "random").mockReturnValue(1);
    const moved = new SourceFault("the chain was re-organised", { remedy: "wait", retryAfterMs: 0 });
    const { worker: snapshot, reads } = worker(() => Promise.reject(moved));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(reads.map(Math.round)).toEqual([0, 0, 0, 0, 16]);
    await snapshot.stop();
  });

  it("logs a lasting problem once, and again when it has come back", async () => {
    let isDown = true;
    const next = async () => {
      if (isDown) throw new SourceFault("down", { remedy: "wait" });
      return undefined;
    };
    const { worker: snapshot, warnings } = worker(next);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(warnings()).toMatchObject([{ msg: "sale can't be read" }]);
    isDown = false;
    await vi.advanceTimersByTimeAsync(31_000);
    isDown = true;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(warnings()).toHaveLength(2);
    await snapshot.stop();
  });

  it("reports the chain's head even if there is nothing to read", async () => {
    const { worker: snapshot, heads } = worker(async () => undefined);
    await vi.advanceTimersByTimeAsync(0);
    expect(heads).toEqual([77n]);
    await snapshot.stop();
  });

  it.each([
    ["a sale that can be read", async () => undefined],
    ["one that can't", () => Promise.reject(fault)],
  ])("warns of the chain's nodes with %s", async (_, next) => {
    const nodes = [
      { host: "a.test", behindBy: 90n, problem: "a.test is 90 blocks behind other nodes" },
      { host: "b.test", behindBy: 0n },
    ];
    const { worker: snapshot, sourceWarnings } = worker(next, nodes);
    await vi.advanceTimersByTimeAsync(0);
    expect(sourceWarnings).toEqual(["a.test is 90 blocks behind other nodes: the operator should check that node"]);
    await snapshot.stop();
  });

  it("reads a settled sale ten times less often", async () => {
    const { worker: snapshot, reads, announce } = worker(async () => snapshotOf([], { stage: "done" }));
    for (let passed = 0; passed < 21; passed += 1) await second(announce);
    expect(reads).toEqual([0, 10, 20]);
    await snapshot.stop();
  });

  const isFinal = { settled: true, final: true };
  const AN_HOUR_MS = 3_600_000;

  it("reads a final sale once an hour, without a lease in between, and the first time within an hour", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.25);
    const { worker: snapshot, calls, reads, announce } = worker(async () => undefined, [], isFinal);
    await vi.advanceTimersByTimeAsync(AN_HOUR_MS / 4 - 1);
    announce();
    expect([reads, calls]).toEqual([[], { leases: 0, reports: 0 }]);
    await vi.advanceTimersByTimeAsync(1);
    // One call gets the lease, and one gives it up.
    expect([reads, calls]).toEqual([[900], { leases: 2, reports: 1 }]);
    await vi.advanceTimersByTimeAsync(AN_HOUR_MS - 1);
    expect([reads, calls]).toEqual([[900], { leases: 2, reports: 1 }]);
    await vi.advanceTimersByTimeAsync(1);
    expect([reads, calls]).toEqual([[900, 4_500], { leases: 4, reports: 2 }]);
    await snapshot.stop();
  });

  it("tries a final sale that can't be read less and less often, until it is read", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.99);
    let isAway = true;
    const {
      worker: snapshot,
      reads,
      sourceSale,
    } = worker(() => (isAway ? Promise.reject(fault) : Promise.resolve(undefined)));
    await vi.advanceTimersByTimeAsync(11_000);
    expect(reads).toEqual([0, 10]);
    snapshot.listed({ ...sourceSale, ...isFinal });
    await vi.advanceTimersByTimeAsync(4 * AN_HOUR_MS);
    const waits = reads.slice(3).map((at, index) => at - (reads[index + 2] ?? 0));
    expect(waits.length).toBeGreaterThan(3);
    expect(waits.length).toBeLessThan(7);
    expect(waits).toEqual(waits.toSorted((one, other) => one - other));
    isAway = false;
    await vi.advanceTimersByTimeAsync(2 * AN_HOUR_MS);
    const { length } = reads;
    await vi.advanceTimersByTimeAsync(5 * AN_HOUR_MS);
    expect(reads).toHaveLength(length + 5);
    await snapshot.stop();
  });

  it("tries a final sale that was never read ten minutes after its first try, and twice in the hour after it", async () => {
    vi.spyOn(Math, "random").mockReturnValueOnce(0).mockReturnValue(1);
    const { worker: snapshot, reads } = worker(() => Promise.reject(fault), [], isFinal);
    await vi.advanceTimersByTimeAsync(3 * AN_HOUR_MS);
    expect(reads).toEqual([0, 600, 1_800, 4_200, 7_800]);
    await snapshot.stop();
  });

  it.each<[string, Partial<SourceSale>, boolean]>([
    ["whose definition has changed", { definitionVersion: 2n }, false],
    ["of which a sweep is requested", { sweepPending: true }, true],
    ["that is open again", { settled: false, final: false }, true],
  ])("reads a final sale at once %s", async (_, change, isFollowed) => {
    const { worker: snapshot, reads, sourceSale } = worker(async () => undefined, [], isFinal);
    snapshot.listed(sourceSale);
    await vi.advanceTimersByTimeAsync(100);
    expect(reads).toEqual([]);
    snapshot.listed({ ...sourceSale, ...change });
    await vi.advanceTimersByTimeAsync(0);
    expect(reads).toEqual([0.1]);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(reads.length > 1).toBe(isFollowed);
    snapshot.listed({ ...sourceSale, definitionVersion: change.definitionVersion ?? sourceSale.definitionVersion });
    await vi.advanceTimersByTimeAsync(15_000);
    const { length } = reads;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reads).toHaveLength(length);
    await snapshot.stop();
  });

  describe("of a sale in which nothing changes", () => {
    const positionAt = (height: bigint) => ({ height, hash: hexId(Number(height)) });

    /** A chain with a block a second, of which each is read. `from` are the heights from which the reads went on. */
    function followed() {
      const from: (bigint | undefined)[] = [];
      const fails = { next: false };
      const parts = worker(async ({ position }) => {
        from.push(position?.height);
        const isFailing = fails.next;
        fails.next = false;
        if (isFailing) throw fault;
        return snapshotOf([], { position: positionAt(BigInt(from.length)), kind: "partial" });
      });
      return { ...parts, from, fails };
    }

    it("reads on from the last block, and has the store's position moved every twenty seconds", async () => {
      const { worker: snapshot, from, applies, confirmed } = followed();
      await vi.advanceTimersByTimeAsync(41_500);
      expect(from).toEqual([undefined, ...from.slice(1).map((_, index) => BigInt(index + 1))]);
      expect(confirmed).toEqual(from.map((_, index) => BigInt(index + 1)));
      expect(applies).toEqual([1n, 21n, 41n]);
      await snapshot.stop();
    });

    it("reads on from there after a failed read, unless the store has another position by then", async () => {
      const { worker: snapshot, from, fails, sale } = followed();
      await vi.advanceTimersByTimeAsync(4_500);
      fails.next = true;
      await vi.advanceTimersByTimeAsync(12_000);
      expect(from.slice(5, 8)).toEqual([5n, 5n, 7n]);
      fails.next = true;
      sale.sourcePosition = create(SourcePositionSchema, { height: 3n, hash: new Uint8Array(32) });
      await vi.advanceTimersByTimeAsync(12_000);
      expect(from.slice(from.indexOf(3n)).slice(0, 2)).toEqual([3n, BigInt(from.indexOf(3n) + 1)]);
      await snapshot.stop();
    });
  });

  it("stops during a wait", async () => {
    const { worker: snapshot } = worker(async () => undefined);
    await vi.advanceTimersByTimeAsync(0);
    await snapshot.stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});
