import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../../../services/demo/bidders/random.ts";
import type { SvmNode } from "../../../../test/support/chains/svm-node.ts";
import {
  expectUpToDate,
  readSale,
  SVM_MINT,
  SvmReaderFixture,
  svmEntity,
  svmEntityId,
  wallets,
} from "../../../../test/support/chains/svm-reader-fixture.ts";
import type { SvmEntity, SvmSaleState } from "../../../../test/support/chains/svm-sale.ts";

const RUNS = process.env["TEST_LONG"] === "1" ? 300 : 8;
const TIMEOUT_MS = 4_000 * RUNS;
const STEPS = 12;
const [COMMITMENT, SETTLEMENT, DONE] = [1, 3, 4];

/** Accepts a fraction of each wallet's amount. */
function allocate(entity: SvmEntity | undefined, divisor: bigint): void {
  if (entity === undefined) throw new Error("the sale has no such entity");
  entity.accepted = new Map([...entity.wallets].map(([wallet, amount]) => [wallet, amount / divisor]));
}

/** Accepts in settlement what the first entities have committed, half of it. */
function settle(node: SvmNode, count: number): void {
  node.advance((state) => {
    state.stage = SETTLEMENT;
    for (let id = 1; id <= count; id += 1) allocate(state.entities.get(svmEntityId(2 * id)), 2n);
  });
}

describe("the allocations of a sale account", () => {
  it("are read from the settlement on, with the account's total", async () => {
    await using fixture = await readSale(3);
    const { node, store } = fixture;
    settle(node, 0);
    expect(await fixture.read()).toMatchObject({ stage: "settlement", allocationTotals: new Map([[SVM_MINT, 0n]]) });
    settle(node, 2);
    const snapshot = await fixture.read();
    expect(snapshot).toMatchObject({ kind: "partial", allocationTotals: new Map([[SVM_MINT, 1_000n]]) });
    expect(snapshot?.warning()).toBeUndefined();
    expect(store.visible[0]?.accepted).toEqual([{ ...store.visible[0]?.amounts[0], amount: 500n }]);
    expectUpToDate(fixture);
  });

  it("are read in chunks if there are more rows than may be held", async () => {
    await using fixture = await SvmReaderFixture.start({ maxHeldRows: 5 });
    fixture.node.advance(({ entities }) => {
      for (let id = 1; id <= 20; id += 1) entities.set(svmEntityId(2 * id), svmEntity({ wallets: wallets(id % 4) }));
    });
    settle(fixture.node, 20);
    await fixture.read();
    expectUpToDate(fixture);
  });

  it("aren't known of an account of an older version, which founders are told", async () => {
    await using fixture = await readSale(2);
    fixture.node.advance((state) => {
      state.isShort = true;
      state.stage = SETTLEMENT;
    });
    const snapshot = await fixture.read();
    expect(snapshot).not.toHaveProperty("allocationTotals");
    expect(snapshot?.warning()).toMatch(/accepted amounts, so they aren't known$/);
    expectUpToDate(fixture);
  });

  it("fail a read while they don't add up to the account's total, and are published with a warning if that lasts", async () => {
    await using fixture = await readSale(2);
    const { node } = fixture;
    settle(node, 1);
    node.advance((state) => {
      state.acceptedMiscount = 3n;
    });
    const problem = "the entities are accepted with 500, the sale account says 503";
    await expect(fixture.read()).rejects.toThrow(problem);
    node.advance();
    await expect(fixture.read()).rejects.toThrow(problem);
    node.advance();
    expect((await fixture.read())?.warning()).toContain(problem);
    expectUpToDate(fixture);
  });

  it(
    "equal the accounts' through settlements, allocations and forks",
    async () => {
      const property = fc.asyncProperty(fc.nat(), async (seed) => {
        const random = new Random(seed);
        await using fixture = await readSale(5);
        const { node } = fixture;
        const before: SvmSaleState[] = [structuredClone(node.state)];
        for (let step = 0; step < STEPS; step += 1) {
          const fork = random.next() < 0.3 ? random.pick(before) : undefined;
          // A fork has later slots, with an earlier state.
          if (fork !== undefined)
            node.advance((state) => Object.assign(state, structuredClone(fork), { slot: state.slot }));
          for (let slots = random.integer(1, 3); slots > 0; slots -= 1) node.advance((state) => change(state, random));
          before.push(structuredClone(node.state));
          await fixture.read();
          expectUpToDate(fixture);
        }
      });
      await fc.assert(property, { numRuns: RUNS });
    },
    TIMEOUT_MS,
  );
});

/** A random step of a sale, as the program takes it. */
function change(state: SvmSaleState, random: Random): void {
  const entity = state.entities.get(svmEntityId(2 * random.integer(1, 5)));
  if (entity === undefined) return;
  if (state.stage === COMMITMENT && random.next() < 0.4) state.stage = SETTLEMENT;
  else if (state.stage === COMMITMENT) entity.price += 1n;
  else if (state.stage === SETTLEMENT && random.next() < 0.8) allocate(entity, BigInt(random.integer(1, 2_000)));
  else if (state.stage === SETTLEMENT) state.stage = DONE;
  else entity.refunded = true;
}
