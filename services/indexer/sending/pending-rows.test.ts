import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commitment, commitments, hexId, upserted } from "../testing/samples.ts";
import { PendingRows } from "./publish.ts";

const MIB = 2 ** 20;

function large(number: number, bytes: number) {
  return commitment(number, { extraData: new Uint8Array(bytes) });
}

function callsOf(pending: PendingRows): number[] {
  const sizes: number[] = [];
  while (!pending.isEmpty) sizes.push(pending.take().upserts.length);
  return sizes;
}

describe("PendingRows", () => {
  it("exceeds a call with one row more than its limit", () => {
    const pending = new PendingRows(3);
    expect([pending.isEmpty, pending.exceedsCall]).toEqual([true, false]);
    pending.add({ upserts: commitments(2), removals: [hexId(9)] });
    expect([pending.isEmpty, pending.exceedsCall]).toEqual([false, false]);
    pending.add({ upserts: [], removals: [hexId(10)] });
    expect(pending.exceedsCall).toBe(true);
    expect(pending.take()).toEqual({ upserts: commitments(2), removals: [hexId(9)] });
    expect(pending.take()).toEqual({ upserts: [], removals: [hexId(10)] });
    expect(pending.isEmpty).toBe(true);
  });

  it("returns every row once and in order, and never more than fits into a call", () => {
    const part = fc.record({ upserts: fc.nat(12), removals: fc.nat(12) });
    fc.assert(
      fc.property(fc.array(part), fc.integer({ min: 1, max: 9 }), (parts, maxRows) => {
        const pending = new PendingRows(maxRows);
        for (const { upserts, removals } of parts) {
          pending.add({
            upserts: commitments(upserts),
            removals: commitments(removals).map((row) => row.commitmentId),
          });
        }
        const taken = { upserts: 0, removals: 0 };
        while (!pending.isEmpty) {
          const wasMore = pending.exceedsCall;
          const { upserts, removals } = pending.take();
          expect(upserts.length + removals.length).toBeLessThanOrEqual(maxRows);
          expect(wasMore).toBe(!pending.isEmpty);
          taken.upserts += upserts.length;
          taken.removals += removals.length;
        }
        expect(taken).toEqual({
          upserts: parts.reduce((sum, { upserts }) => sum + upserts, 0),
          removals: parts.reduce((sum, { removals }) => sum + removals, 0),
        });
      }),
    );
  });

  it("bounds the bytes of a call", () => {
    const pending = new PendingRows(5_000);
    pending.add(upserted(...Array.from({ length: 40 }, (_, number) => large(number, MIB))));
    expect(pending.exceedsCall).toBe(true);
    expect(callsOf(pending)).toEqual([15, 15, 10]);
    expect(pending.exceedsCall).toBe(false);
  });

  it("counts the amounts, too", () => {
    const amounts = Array.from({ length: 1_000 }, () => ({ wallet: "w", token: "t", amount: 1n }));
    const pending = new PendingRows(5_000);
    pending.add(upserted(...commitments(100).map((row) => ({ ...row, amounts }))));
    expect(callsOf(pending)).toEqual([74, 26]);
  });

  it("sends a row that is too large alone", () => {
    const pending = new PendingRows(10);
    pending.add(upserted(large(1, 17 * MIB)));
    expect(pending.exceedsCall).toBe(false);
    pending.add(upserted(commitment(2)));
    expect(pending.exceedsCall).toBe(true);
    expect(callsOf(pending)).toEqual([1, 1]);
  });
});
