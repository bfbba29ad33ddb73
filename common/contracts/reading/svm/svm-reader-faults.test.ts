import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SVM_FAULTS, type SvmFault, type SvmNode } from "../../../../test/support/chains/svm-node.ts";
import {
  bid,
  expectUpToDate,
  onAnswer,
  readSale,
  SvmReaderFixture,
  svmEntity,
  svmEntityId,
  wallets,
} from "../../../../test/support/chains/svm-reader-fixture.ts";
import { type ExpectedRow, expectedRows, svmAddress } from "../../../../test/support/chains/svm-sale.ts";
import { SourceFault } from "../../../chains/base/source-fault.ts";

describe("a node's faults", () => {
  const methods = ["getProgramAccounts", "getMultipleAccounts"];
  const turns = [1, 2];
  const cases = SVM_FAULTS.flatMap((fault) =>
    methods.flatMap((method) => turns.map((turn) => ({ fault, method, turn }))),
  );

  it.each(cases)(
    "$fault in answer $turn of $method: nothing wrong is published, and it heals",
    async ({ fault, method, turn }) => {
      await using fixture = await readSale(6);
      const { node } = fixture;
      const before = fixture.shown;
      bid(node, 2, {
        wallets: new Map([
          [svmAddress("a"), 3n],
          [svmAddress("b"), 4n],
        ]),
      });
      node.advance(({ entities }) => {
        entities.set(svmEntityId(4), svmEntity({ price: 1n, wallets: wallets(2) }));
        entities.set(svmEntityId(12), svmEntity({ price: 2n, wallets: wallets(3) }));
      });
      onAnswer(node, method, turn, fault);
      const failed = await fixture.read().then(
        () => false,
        (error: unknown) => {
          expect(error).toBeInstanceOf(SourceFault);
          return true;
        },
      );
      expect(fixture.shown).toEqual(failed ? before : expectedRows(node.state));
      node.beforeAnswer = () => undefined;
      await fixture.read();
      expectUpToDate(fixture);
    },
  );

  it("a list that lacks an entity doesn't remove it", async () => {
    await using fixture = await SvmReaderFixture.start();
    bid(fixture.node, 1);
    // The total can't show that an entity without an amount is missing.
    bid(fixture.node, 2, { refunded: true, wallets: new Map() });
    await fixture.read();
    onAnswer(fixture.node, "getProgramAccounts", 1, "missing_account");
    fixture.node.advance();
    await fixture.read();
    expectUpToDate(fixture);
    fixture.node.beforeAnswer = (method) => (method === "getProgramAccounts" ? "missing_account" : undefined);
    fixture.node.advance();
    await expect(fixture.read(), "nor does one after the other").rejects.toThrow("lacks entity");
    expectUpToDate(fixture);
  });
});

describe("any sequence of changes and faults", () => {
  const entityNumber = fc.integer({ min: 1, max: 12 });
  const amount = fc.bigInt({ min: 1n, max: 2n ** 40n });
  const bidChange = fc.record({
    kind: fc.constant("bid" as const),
    entity: entityNumber,
    price: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    lockup: fc.boolean(),
    wallet: fc.integer({ min: 0, max: 3 }),
    amount,
  });
  const cancelChange = fc.record({ kind: fc.constant("cancel" as const), entity: entityNumber });
  /** Changes that the sale's totals don't show. */
  const refundChange = fc.record({ kind: fc.constant("refund" as const), entity: entityNumber });
  const priceChange = fc.record({ kind: fc.constant("price" as const), entity: entityNumber });
  const closeChange = fc.record({ kind: fc.constant("close" as const), entity: entityNumber });
  const stageChange = fc.record({ kind: fc.constant("stage" as const), stage: fc.integer({ min: 0, max: 4 }) });
  const change = fc.oneof(
    { weight: 6, arbitrary: bidChange },
    { weight: 2, arbitrary: refundChange },
    priceChange,
    cancelChange,
    closeChange,
    stageChange,
  );
  type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;
  const round = fc.record({
    before: fc.array(change, { maxLength: 4 }),
    /** Changes that happen before the answer with this number. */
    between: fc.option(fc.record({ answer: fc.integer({ min: 1, max: 8 }), change })),
    faults: fc.array(fc.option(fc.constantFrom<SvmFault>(...SVM_FAULTS), { freq: 2 }), { maxLength: 12 }),
    restart: fc.boolean(),
  });

  function apply(node: SvmNode, wanted: Change): void {
    node.advance((state) => {
      if (wanted.kind === "stage") {
        state.stage = wanted.stage;
        return;
      }
      const id = svmEntityId(wanted.entity);
      const old = state.entities.get(id);
      if (wanted.kind === "close") state.entities.delete(id);
      else if (wanted.kind === "refund" && old !== undefined) state.entities.set(id, { ...old, refunded: true });
      else if (wanted.kind === "price" && old !== undefined)
        state.entities.set(id, { ...old, price: (old.price + 1n) % 2n ** 64n });
      else if (wanted.kind === "bid") {
        const wallet = svmAddress(`wallet ${wanted.wallet}`);
        const amounts = new Map(old?.wallets).set(wallet, (old?.wallets.get(wallet) ?? 0n) + wanted.amount);
        const { price, lockup } = wanted;
        state.entities.set(id, { price, lockup, refunded: false, timestamp: BigInt(state.slot), wallets: amounts });
      } else if (wanted.kind === "cancel" && old !== undefined) {
        const zeros = new Map([...old.wallets.keys()].map((wallet) => [wallet, 0n]));
        state.entities.set(id, { ...old, refunded: true, wallets: zeros });
      }
    });
  }

  type Misbehaviour = Pick<typeof round extends fc.Arbitrary<infer Value> ? Value : never, "faults" | "between">;

  /**
   * Makes the node's next answers faulty. A list that lies is followed by an honest one, even in the next round: a node that
   * always lies in the same way can't be found out.
   */
  function misbehaving(node: SvmNode): (next: Misbehaviour) => void {
    let lied = false;
    return ({ faults, between }) => {
      let answers = 0;
      node.beforeAnswer = (method) => {
        answers += 1;
        if (between?.answer === answers) apply(node, between.change);
        const fault = faults[answers - 1] ?? undefined;
        if (method !== "getProgramAccounts") return fault;
        const isLie = fault === "missing_account" || fault === "torn_list" || fault === "empty_list";
        lied = isLie && !lied;
        return lied || !isLie ? fault : undefined;
      };
    };
  }

  it("shows the node's state at one slot (in chunks: each entity at that slot or later), or nothing new; and recovers", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 6 }), fc.boolean(), async (rounds, chunked) => {
        await using fixture = await SvmReaderFixture.start(chunked ? { maxHeldRows: 1 } : {});
        const { node, store } = fixture;
        const misbehave = misbehaving(node);
        for (const { before, restart, ...misbehaviour } of rounds) {
          for (const wanted of before) apply(node, wanted);
          if (restart) fixture.reader = fixture.newReader();
          misbehave(misbehaviour);
          const shown = fixture.shown;
          const snapshot = await fixture.read().catch((error: unknown) => {
            if (!(error instanceof SourceFault)) throw error;
            return "fault" as const;
          });
          fixture.millis += 500;
          if (snapshot === "fault") expect(fixture.shown).toEqual(shown);
          const { position } = store;
          if (position === undefined) continue;
          const states = node.states
            .filter(({ slot }) => BigInt(slot) >= position.height)
            .map(expectedRows)
            .map(active);
          if (chunked) expectRowsOf(states, active(fixture.shown));
          else expect(active(fixture.shown)).toEqual(states[0]);
        }
        node.beforeAnswer = () => undefined;
        fixture.millis += 2_000;
        await fixture.read();
        expectUpToDate(fixture);
      }),
      { numRuns: 150 },
    );
  });
});

/** The rows that users see. The sums can't confirm that bids without an amount are complete. */
function active(rows: readonly ExpectedRow[]): readonly ExpectedRow[] {
  return rows.filter(({ amounts }) => Object.keys(amounts).length > 0);
}

/** Expects each row to be that of one of the states, and rows that all of the states have to be there. */
function expectRowsOf(states: readonly (readonly ExpectedRow[])[], shown: readonly ExpectedRow[]): void {
  for (const row of shown) expect(states.flat()).toContainEqual(row);
  const ids = states.map((rows) => new Set(rows.map(({ commitmentId }) => commitmentId)));
  const inAll = [...(ids[0] ?? [])].filter((id) => ids.every((others) => others.has(id)));
  expect(shown.map(({ commitmentId }) => commitmentId)).toEqual(expect.arrayContaining(inAll));
}
