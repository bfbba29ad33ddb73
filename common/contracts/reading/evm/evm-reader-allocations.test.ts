import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../../../services/demo/bidders/random.ts";
import {
  rowLog,
  type SaleRow,
  type SaleState,
  saleRow,
  saleRows,
  TOKEN,
} from "../../../../test/support/chains/evm-chain.ts";
import { expectUpToDate, ReaderFixture, readSale } from "../../../../test/support/chains/evm-reader-fixture.ts";
import { SourceFault } from "../../../chains/base/source-fault.ts";
import { ROW_TOPICS, STAGE_TOPIC } from "../../reference/evm/abi.ts";

const RUNS = process.env["TEST_LONG"] === "1" ? 400 : 6;
const TIMEOUT_MS = 4000 * RUNS;
const STEPS = 14;
const DEEPEST_FORK = 6;
const ENTITIES = 8;
const [SETTLEMENT, DONE] = [3, 4];
const STAGE_LOG = { topics: [STAGE_TOPIC] };

/** The row with an accepted part of its first amount. */
function allocated(row: SaleRow, amount: bigint): SaleRow {
  const [first] = row.amounts;
  if (first === undefined) throw new Error("the row has no amount");
  const { accepted: _, ...rest } = row;
  return amount === 0n ? rest : { ...rest, accepted: [{ ...first, amount }] };
}

/** A sale of a contract that says its allocations, read in its settlement. */
async function settlingSale(count: number, change: Partial<SaleState> = {}): Promise<ReaderFixture> {
  const fixture = await readSale(count);
  fixture.chain.mine({ stage: SETTLEMENT, allocates: true, ...change }, [STAGE_LOG]);
  await fixture.read();
  return fixture;
}

/** Reads until the head is applied. A read may have to wait for a sweep that rests, or for the nodes to be believed. */
async function readApplied(fixture: ReaderFixture): Promise<void> {
  for (let attempt = 0; attempt < 8; attempt += 1) {
    if (fixture.store.position?.hash === fixture.chain.head.hash) return;
    fixture.clock.advance(fixture.reader.restMs());
    await fixture.read().catch((error: unknown) => {
      if (!(error instanceof SourceFault)) throw error;
    });
  }
}

describe("the allocations of a contract", () => {
  it("are read from its settlement on, with its totals", async () => {
    await using fixture = await readSale(5);
    const { chain, store } = fixture;
    chain.mine({ allocates: true });
    expect(await fixture.read()).not.toHaveProperty("allocationTotals");
    chain.mine({ stage: SETTLEMENT }, [STAGE_LOG]);
    await readApplied(fixture);
    chain.put(2, allocated(saleRow(3), 600n), ROW_TOPICS.allocationSet);
    const snapshot = await fixture.read();
    expect(snapshot).toMatchObject({ kind: "partial", stage: "settlement" });
    expect(snapshot?.allocationTotals).toEqual(new Map([[TOKEN, 600n]]));
    expect(snapshot?.warning()).toBeUndefined();
    expect(store.visible[2]?.accepted).toEqual([{ ...saleRow(3).amounts[0], amount: 600n }]);
    expectUpToDate(fixture);
  });

  it("are read in pages that shrink with those of the commitments", async () => {
    const rows = saleRows(30).map((row) => allocated(row, 7n));
    await using fixture = await ReaderFixture.start({ maxRows: 4 });
    fixture.chain.mine({ rows, stage: DONE, allocates: true });
    await fixture.read();
    expectUpToDate(fixture);
    const asked = fixture.node.requests.filter(({ functionName }) => functionName === "readEntityAllocationDataIn");
    expect(asked.length).toBeGreaterThan(7);
  });

  it("are removed when a re-organisation leads back before the settlement, and come back", async () => {
    await using fixture = await settlingSale(4);
    const { chain } = fixture;
    await readApplied(fixture);
    chain.put(1, allocated(saleRow(2), 5n), ROW_TOPICS.allocationSet);
    await readApplied(fixture);
    chain.drop(2);
    chain.put(0, saleRow(1, { priceTicks: 9n }));
    await readApplied(fixture);
    expectUpToDate(fixture);
    expect(fixture.store.visible.every(({ accepted }) => accepted === undefined)).toBe(true);
    chain.mine({ stage: SETTLEMENT, allocates: true }, [STAGE_LOG]);
    chain.put(3, allocated(saleRow(4), 6n), ROW_TOPICS.allocationSet);
    await readApplied(fixture);
    expectUpToDate(fixture);
  });

  it("aren't known of a contract of an older version, which founders are told", async () => {
    await using fixture = await settlingSale(3, { allocates: false });
    fixture.chain.mine();
    const snapshot = await fixture.read();
    expect(snapshot).not.toHaveProperty("allocationTotals");
    expect(snapshot?.warning()).toMatch(/^the contract doesn't offer its allocations/);
    expectUpToDate(fixture);
  });

  it("fail a read while they don't add up to the contract's total, and are published with a warning if that lasts", async () => {
    await using fixture = await settlingSale(3);
    const { chain } = fixture;
    await readApplied(fixture);
    const rows = chain.head.state.rows.map((row) => allocated(row, 2n));
    chain.mine(
      { rows, acceptedSurplus: 4n },
      rows.map((row) => rowLog(row, ROW_TOPICS.allocationSet)),
    );
    const problem = `totalAcceptedAmountByToken() of the contract isn't the sum of its allocations: 4 too much of token ${TOKEN}`;
    const failures: unknown[] = [];
    let warning: string | undefined;
    for (let block = 0; block < 8 && warning === undefined; block += 1) {
      try {
        warning = (await fixture.read())?.warning();
      } catch (error) {
        failures.push(error);
      }
      fixture.clock.advance(fixture.reader.restMs());
      chain.mine();
    }
    expect(failures.length).toBeGreaterThan(0);
    for (const failure of failures) expect(failure).toMatchObject({ message: problem });
    expect(warning).toBe(problem);
  });

  it("are given up, with a warning, where they aren't in the order of the commitments", async () => {
    await using fixture = await readSale(3);
    const { chain } = fixture;
    chain.mine({ stage: SETTLEMENT, allocates: true, reversesAllocations: true }, [STAGE_LOG]);
    for (let attempt = 0; attempt < 6; attempt += 1) {
      fixture.clock.advance(fixture.reader.restMs());
      await fixture.read().catch(() => {});
      chain.mine();
    }
    fixture.clock.advance(fixture.reader.restMs());
    const snapshot = await fixture.read();
    expect(snapshot?.warning()).toMatch(/^accepted amounts aren't read: the contract doesn't list its allocations in/);
    expect(snapshot).not.toHaveProperty("allocationTotals");
  });

  it(
    "equal the contract's through settlements, allocations and re-organisations",
    async () => {
      const property = fc.asyncProperty(fc.nat(), async (seed) => {
        const random = new Random(seed);
        await using fixture = await readSale(ENTITIES);
        const { chain } = fixture;
        chain.mine({ allocates: true });
        for (let step = 0; step < STEPS; step += 1) {
          if (random.next() < 0.3) chain.drop(random.integer(1, DEEPEST_FORK));
          if (chain.head.state.rows.length === 0) chain.mine({ rows: saleRows(ENTITIES), allocates: true });
          for (let blocks = random.integer(1, 3); blocks > 0; blocks -= 1) change(chain.head.state, random, fixture);
          await readApplied(fixture);
          expectUpToDate(fixture);
          const isSettling = chain.head.state.stage >= SETTLEMENT && chain.head.state.allocates === true;
          expect(fixture.store.visible.some(({ accepted }) => accepted !== undefined)).toBe(
            isSettling && chain.head.state.rows.some(({ accepted }) => accepted !== undefined),
          );
        }
      });
      await fc.assert(property, { numRuns: RUNS });
    },
    TIMEOUT_MS,
  );
});

/** Mines a block with a random change of the sale, as the reference contract logs it. */
function change({ stage, rows }: SaleState, random: Random, { chain }: ReaderFixture): void {
  const index = random.integer(0, rows.length - 1);
  const row = rows[index];
  if (row === undefined) return;
  if (stage < SETTLEMENT) {
    if (random.next() < 0.4) chain.mine({ stage: SETTLEMENT, allocates: true }, [STAGE_LOG]);
    else chain.put(index, { ...row, priceTicks: row.priceTicks + 1n });
  } else if (stage === SETTLEMENT && random.next() < 0.8) {
    const part = random.pick([0n, 1n, 500n, row.amounts[0]?.amount ?? 0n]);
    chain.put(index, allocated(row, part), ROW_TOPICS.allocationSet);
  } else if (stage === SETTLEMENT) {
    chain.mine({ stage: DONE }, [STAGE_LOG]);
  } else {
    chain.put(index, { ...row, refunded: true }, ROW_TOPICS.entityRefunded);
  }
}
