import { describe, expect, it } from "vitest";
import { nodeKey, rootKey } from "../../../../common/sale/figures/tick-tree.ts";
import type { IncomingCommitment, StoredCommitment } from "../../base/domain/stored-commitment.ts";
import { idOf, openState, recordOf, TOKEN, WALLET } from "../../testing/samples.ts";
import { type ApplyInput, planApply } from "./apply.ts";

const FIVE = 5_000_000n;
const OTHER_WALLET = `0x${"cc".repeat(20)}`;

function incomingOf(number: number, change: Partial<IncomingCommitment> = {}): IncomingCommitment {
  return { record: recordOf(number), amount: FIVE, hasAmount: true, digest: "d1", ...change };
}

/** The stored form of `incomingOf(number)`, applied to an open sale. */
function storedOf(number: number, change: Partial<StoredCommitment> = {}): StoredCommitment {
  const known = { priceTicks: 100n, countingClass: 1n, amount: FIVE, digest: "d1", wallets: [WALLET] };
  return { commitmentId: idOf(number), entityId: recordOf(number).entityId, ...known, ...change };
}

function plan(input: Partial<Omit<ApplyInput, "stored">> & { readonly stored?: readonly StoredCommitment[] }) {
  return planApply({
    incoming: [],
    removals: [],
    state: openState,
    cancelledKeepsAmounts: false,
    width: 8,
    ticksMatter: true,
    demandOf: () => undefined,
    mayBidAgain: false,
    ...input,
    stored: new Map((input.stored ?? []).map((stored) => [stored.commitmentId, stored])),
  });
}

function rootChange(changes: ReturnType<typeof plan>["tickChanges"], countingClass = 1n) {
  return changes.byClass().get(countingClass)?.get(rootKey(8));
}

describe("planApply", () => {
  it("writes and adds up a commitment that is new", () => {
    const { rows, visible, tickChanges } = plan({ incoming: [incomingOf(1)] });
    expect(rows).toEqual([{ ...incomingOf(1), countingClass: 1n }]);
    expect(visible).toBe(true);
    expect(rootChange(tickChanges)).toEqual({ amount: FIVE, commitments: 1n });
  });

  it("changes the commitments of the wallets that a commitment names, and no longer names", () => {
    const amounts = [OTHER_WALLET, OTHER_WALLET, WALLET].map((wallet) => ({ wallet, token: TOKEN, amount: 0n }));
    const both = incomingOf(1, { record: recordOf(1, { amounts }), digest: "d2" });
    expect(plan({ incoming: [both] }).walletChanges).toMatchObject({
      added: [
        { wallet: OTHER_WALLET, commitmentId: idOf(1) },
        { wallet: WALLET, commitmentId: idOf(1) },
      ],
      removed: [],
    });
    const moved = { wallet: OTHER_WALLET, commitmentId: idOf(1) };
    expect(plan({ incoming: [both], stored: [storedOf(1)] }).walletChanges).toMatchObject({
      added: [moved],
      removed: [],
    });
    const back = {
      incoming: [incomingOf(1)],
      stored: [storedOf(1, { digest: "d2", wallets: [OTHER_WALLET, WALLET] })],
    };
    expect(plan(back).walletChanges).toMatchObject({ added: [], removed: [moved] });
    expect(plan({ removals: [idOf(1), idOf(2)], stored: [storedOf(1)] }).walletChanges).toMatchObject({
      added: [],
      removed: [{ wallet: WALLET, commitmentId: idOf(1) }],
    });
  });

  it("writes nothing for one that is stored as it is", () => {
    const { rows, visible, tickChanges } = plan({ incoming: [incomingOf(1)], stored: [storedOf(1)] });
    expect([rows, visible, tickChanges.byClass().size]).toEqual([[], false, 0]);
  });

  it("moves an amount from the old price to the new one", () => {
    const moved = incomingOf(1, { record: recordOf(1, { priceTicks: 7n }), amount: 9n, digest: "d2" });
    const { rows, tickChanges } = plan({ incoming: [moved], stored: [storedOf(1)] });
    const sums = tickChanges.byClass().get(1n);
    expect(rows).toHaveLength(1);
    expect(sums?.get(nodeKey(8, 8, 100n))).toEqual({ amount: -FIVE, commitments: -1n });
    expect(sums?.get(nodeKey(8, 8, 7n))).toEqual({ amount: 9n, commitments: 1n });
    expect(sums?.get(rootKey(8))).toEqual({ amount: 9n - FIVE, commitments: 0n });
  });

  it("writes another source index, which no reader sees", () => {
    const incoming = [incomingOf(1, { record: recordOf(1, { sourceIndex: 4n }) })];
    const { rows, visible, tickChanges } = plan({ incoming, stored: [storedOf(1, { sourceIndex: 3n })] });
    expect([rows.length, visible, tickChanges.byClass().size]).toEqual([1, false, 0]);
  });

  it("writes a row whose counting class alone differs", () => {
    const refunded = incomingOf(1, { record: recordOf(1, { refunded: true }) });
    const { rows, visible, tickChanges } = plan({
      incoming: [refunded],
      stored: [storedOf(1, { countingClass: 3n })],
      cancelledKeepsAmounts: true,
    });
    expect(rows).toMatchObject([{ countingClass: 2n }]);
    expect(visible).toBe(true);
    expect(rootChange(tickChanges, 3n)).toEqual({ amount: -FIVE, commitments: -1n });
    expect(rootChange(tickChanges, 2n)).toEqual({ amount: FIVE, commitments: 1n });
  });

  it("decides the counting class by the state after the apply and by what is stored", () => {
    const incoming = [1, 2].map((number) => incomingOf(number, { record: recordOf(number, { refunded: true }) }));
    const { rows } = plan({
      incoming,
      stored: [storedOf(1, { digest: "d0" }), storedOf(2, { digest: "d0", countingClass: 2n })],
      state: { ...openState, status: "settled", settleCount: 1n },
      cancelledKeepsAmounts: true,
    });
    expect(rows.map(({ countingClass }) => countingClass)).toEqual([3n, 2n]);
  });

  it("writes one without amount, which counts nowhere", () => {
    const { rows, tickChanges } = plan({ incoming: [incomingOf(1, { amount: 0n, hasAmount: false })] });
    expect(rows).toMatchObject([{ countingClass: -1n }]);
    expect(tickChanges.byClass().size).toBe(0);
  });

  it("counts one whose amount normalises to nothing", () => {
    const { tickChanges } = plan({ incoming: [incomingOf(1, { amount: 0n })] });
    expect(rootChange(tickChanges)).toEqual({ amount: 0n, commitments: 1n });
  });

  it("removes what is stored, and ignores what isn't", () => {
    const { removals, visible, tickChanges } = plan({ removals: [idOf(1), idOf(2)], stored: [storedOf(1)] });
    expect(removals).toEqual([idOf(1)]);
    expect(visible).toBe(true);
    expect(rootChange(tickChanges)).toEqual({ amount: -FIVE, commitments: -1n });
    expect(plan({ removals: [idOf(2)] })).toMatchObject({ removals: [], visible: false });
  });

  it("sums over all ticks only where the sale isn't an auction", () => {
    const { tickChanges } = plan({ incoming: [incomingOf(1)], ticksMatter: false });
    expect([...(tickChanges.byClass().get(1n)?.keys() ?? [])]).toEqual([rootKey(8)]);
  });
});
