import { describe, expect, it } from "vitest";
import { type FeedFacts, feedStateOf } from "./feed-state.ts";
import type { SourceStatus } from "./sale-state.ts";

const NOW = 1_770_000_000_000n;
const position = { height: 19_000_000n, hash: "01ff" };

const facts = (change: Partial<FeedFacts> = {}): FeedFacts => ({
  hasSnapshot: true,
  leaseUntilMillis: NOW + 6_000n,
  ...change,
});

/** A status whose last success was some milliseconds ago. */
function statusOf(behind: bigint, change: Partial<SourceStatus> = {}): SourceStatus {
  return {
    headHeight: 19_000_001n,
    fault: "",
    warning: "",
    sweep: { rowsDone: 0n, rowsTotal: 0n, running: false, sweepRequests: 0n },
    checkedAtMillis: NOW,
    sweepRequests: 0n,
    readIntervalMillis: 2_000n,
    lastSuccess: { atMillis: NOW - behind, position, blockTimeSeconds: 1_769_999_990n },
    ...change,
  };
}

const { lastSuccess: _, ...neverRead } = statusOf(0n);
const faultAt = (behind: bigint, change: Partial<SourceStatus> = {}, of: FeedFacts = facts()) =>
  feedStateOf(of, statusOf(behind, change), NOW).fault;

describe("feedStateOf", () => {
  it("says up to which block and since when", () => {
    expect(feedStateOf(facts(), statusOf(3_250n), NOW)).toEqual({
      asOf: { position, blockTimeSeconds: 1_769_999_990n, lastSuccessMillis: NOW - 3_250n },
      behindMillis: 3_250n,
      isFinal: false,
    });
  });

  it("has no block before a read has succeeded", () => {
    expect(feedStateOf(facts(), neverRead, NOW)).toEqual({ behindMillis: 0n, isFinal: false });
  });

  it("takes the applied position for a reader that reports none", () => {
    const applied = { height: 5n, hash: "" };
    const status = statusOf(0n, { lastSuccess: { atMillis: NOW - 1n } });
    expect(feedStateOf(facts({ sourcePosition: applied }), status, NOW)).toMatchObject({
      asOf: { position: applied, lastSuccessMillis: NOW - 1n },
    });
    expect(feedStateOf(facts(), status, NOW).asOf).toBeUndefined();
  });

  it("is never ahead of a clock that is behind", () => {
    expect(feedStateOf(facts(), statusOf(-40n), NOW).behindMillis).toBe(0n);
  });

  it("takes reads that fail for a fault once none has succeeded for 5 s", () => {
    const failing = { fault: "the node is down" };
    expect([faultAt(5_000n, failing), faultAt(5_001n, failing)]).toEqual([undefined, "unreadable"]);
    expect(feedStateOf(facts({ hasSnapshot: false }), { ...neverRead, ...failing }, NOW).fault).toBe("unreadable");
  });

  it("takes reads that don't end for a fault after 30 s, or three expected reads", () => {
    expect([faultAt(30_000n), faultAt(30_001n)]).toEqual([undefined, "late"]);
    const seldom = { readIntervalMillis: 60_000n };
    expect([faultAt(180_000n, seldom), faultAt(180_001n, seldom)]).toEqual([undefined, "late"]);
    expect(faultAt(999_999n, {}, facts({ hasSnapshot: false }))).toBeUndefined();
  });

  it("takes a sale that nobody has the lease of for a fault after 15 s, whatever the last report says", () => {
    const released = (agoMillis: bigint) => facts({ leaseUntilMillis: NOW - agoMillis });
    expect(faultAt(0n, {}, released(15_000n))).toBeUndefined();
    expect(faultAt(20_000n, {}, released(15_001n))).toBe("no_indexer");
    expect(faultAt(20_000n, { fault: "the node is down" }, released(15_001n))).toBe("no_indexer");
  });

  it("has no fault, and is never behind, once a sale was still settled after an hour", () => {
    const settled = (hours: bigint) => {
      const status = statusOf(86_400_000n);
      const atMillis = status.lastSuccess?.atMillis ?? 0n;
      return { ...status, fault: "the node is down", settledSinceMillis: atMillis - hours * 3_600_000n };
    };
    const gone = facts({ leaseUntilMillis: 0n });
    expect(feedStateOf(gone, settled(1n), NOW)).toMatchObject({ asOf: { position }, behindMillis: 0n, isFinal: true });
    expect(feedStateOf(gone, settled(1n), NOW).fault).toBeUndefined();
    expect(feedStateOf(gone, settled(0n), NOW)).toMatchObject({ fault: "no_indexer", isFinal: false });
  });
});
