import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../../../services/demo/bidders/random.ts";
import { type SaleRow, saleRow, saleRows } from "../../../../test/support/chains/evm-chain.ts";
import type { NodeBehaviour } from "../../../../test/support/chains/evm-node.ts";
import { expectUpToDate, ReaderFixture, raised } from "../../../../test/support/chains/evm-reader-fixture.ts";
import type { EvmFamily } from "../../evm-family.ts";
import { REFERENCE_FAMILY } from "../../reference/evm/reference-family.ts";

const RUNS = process.env["TEST_LONG"] === "1" ? 500 : 15;
const STEPS = 12;
const DEEPEST_FORK = 45;

/** A family whose rows never change. */
const FIXED: EvmFamily = { ...REFERENCE_FAMILY, rowsAreFixed: true };

/** A node without logs, of a contract without totals. */
const BARE: Partial<NodeBehaviour> = {
  hasLogs: false,
  hasReceipts: false,
  absentFunctions: new Set(["totalCommittedAmountByToken"]),
};

/** A contract with `count` rows that were read once. */
async function readRows(count: number, behaviour: Partial<NodeBehaviour> = {}): Promise<ReaderFixture> {
  const fixture = await ReaderFixture.start({ ...BARE, ...behaviour }, {}, FIXED);
  fixture.chain.mine({ rows: saleRows(count) });
  expect(await fixture.read()).toMatchObject({ kind: "sweep", count: BigInt(count) });
  fixture.node.requests.length = 0;
  return fixture;
}

/** Adds rows in a block. */
function append({ chain }: ReaderFixture, ...rows: readonly SaleRow[]): void {
  chain.mine({ rows: [...chain.head.state.rows, ...rows] });
}

/** Numbers of rows that were asked for since the last call of this. */
function rowsAsked({ node }: ReaderFixture): readonly number[] {
  const asked = node.requests.flatMap(({ rows }) => rows ?? []);
  node.requests.length = 0;
  return asked;
}

describe("a contract whose rows never change", () => {
  it("is read by its number of rows, without logs or totals, and new rows are read once more with the next block", async () => {
    await using fixture = await readRows(20);
    append(fixture, saleRow(21), saleRow(22));
    expect(await fixture.read()).toMatchObject({ kind: "partial", count: 22n });
    expect(rowsAsked(fixture)).toEqual([2]);
    expectUpToDate(fixture);
    append(fixture, saleRow(23));
    expect(await fixture.read()).toMatchObject({ kind: "partial", count: 23n });
    expect(rowsAsked(fixture)).toEqual([3]);
    for (const asked of [[1], [], []]) {
      fixture.chain.mine();
      expect(await fixture.read()).toMatchObject({ kind: "partial", count: 23n });
      expect(rowsAsked(fixture)).toEqual(asked);
    }
    expect(fixture.node.count("eth_getLogs")).toBe(0);
    const asked = fixture.store.digestRanges;
    fixture.chain.mine();
    await fixture.read();
    expect(fixture.store.digestRanges).toBe(asked);
    expectUpToDate(fixture);
  });

  it("is swept after a fork once what it accepts is read, as that of old rows may be otherwise", async () => {
    const settled = (amount: bigint) => {
      const { amounts, ...row } = saleRow(1);
      return { ...row, amounts, accepted: amounts.slice(0, 1).map((each) => ({ ...each, amount })) };
    };
    await using fixture = await readRows(2);
    const { chain } = fixture;
    const settle = (amount: bigint) => chain.mine({ stage: 3, allocates: true, rows: [settled(amount), saleRow(2)] });
    settle(5n);
    expect(await fixture.read()).toMatchObject({ kind: "sweep" });
    chain.mine();
    // Another stage is a reason of its own for a sweep.
    await fixture.read();
    chain.mine();
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    chain.drop(2);
    settle(4n);
    chain.mine();
    chain.mine();
    expect(await fixture.read()).toMatchObject({ kind: "sweep" });
    expectUpToDate(fixture);
  });

  it("isn't swept where only rows to be read once more would be too many", async () => {
    await using fixture = await readRows(3);
    for (const first of [4, 1504]) {
      append(fixture, ...saleRows(1500, first));
      expect(await fixture.read()).toMatchObject({ kind: "partial", count: BigInt(first + 1499) });
      expectUpToDate(fixture);
    }
  });

  it("is read by a sweep where too many rows are new", async () => {
    await using fixture = await readRows(3);
    append(fixture, ...saleRows(2001, 4));
    expect(await fixture.read()).toMatchObject({ kind: "sweep", count: 2004n });
    expectUpToDate(fixture);
  });

  it.each([1, 3, 31, 32, 33, 40])("is read by its number of rows after %i blocks", async (blocks) => {
    await using fixture = await readRows(5);
    for (let block = 1; block < blocks; block += 1) fixture.chain.mine();
    append(fixture, saleRow(6));
    expect(await fixture.read()).toMatchObject({ kind: "partial", count: 6n });
    expectUpToDate(fixture);
  });

  it.each([1, 2, 5])("is read from the last common row on after a fork of %i blocks", async (depth) => {
    await using fixture = await readRows(20);
    for (let block = 0; block < 5; block += 1) {
      append(fixture, saleRow(21 + block));
      await fixture.read();
    }
    fixture.chain.drop(depth);
    append(fixture, saleRow(100), saleRow(25));
    for (let block = 1; block < depth; block += 1) fixture.chain.mine();
    rowsAsked(fixture);
    expect(await fixture.read()).toMatchObject({ kind: "partial", count: BigInt(27 - depth) });
    // The proof that follows reads all.
    expect(rowsAsked(fixture)[0]).toBe(2);
    expectUpToDate(fixture);
  });

  it("is read by its number of rows across a fork that goes further back than the first read", async () => {
    await using fixture = await ReaderFixture.start(BARE, {}, FIXED);
    for (let block = 0; block < 70; block += 1) append(fixture, saleRow(block + 1));
    await fixture.read();
    await fixture.reader.prove?.(fixture.store, fixture.signal);
    fixture.chain.drop(40);
    for (let block = 0; block < 41; block += 1) append(fixture, saleRow(200 + block));
    expect(await fixture.read()).toMatchObject({ kind: "partial", count: 71n });
    expectUpToDate(fixture);
  });

  it("is swept where a row isn't what it was when it was new, as one of the two answers was wrong", async () => {
    await using fixture = await readRows(20);
    const rows = fixture.chain.head.state.rows;
    fixture.chain.mine({ rows: [...rows, raised(saleRow(21), 1n)] });
    await fixture.read();
    fixture.chain.mine({ rows: [...rows, saleRow(21)] });
    expect(await fixture.read()).toMatchObject({ kind: "sweep" });
    expectUpToDate(fixture);
  });

  it("is swept where it goes on having fewer rows than before, which a node that lags has at first", async () => {
    await using fixture = await readRows(20);
    fixture.chain.mine({ rows: saleRows(19) });
    expect([await fixture.read(), await fixture.read()]).toEqual([undefined, undefined]);
    expect(fixture.store.visible).toHaveLength(20);
    expect(await fixture.read()).toMatchObject({ kind: "sweep", count: 19n });
    expectUpToDate(fixture);
  });

  it("isn't read where it lists a commitment twice", async () => {
    await using fixture = await readRows(20);
    append(fixture, saleRow(21), saleRow(21));
    await expect(fixture.read()).rejects.toThrow("twice");
    expect(fixture.store.visible).toHaveLength(20);
  });

  it("is swept where the store has other rows than the last read", async () => {
    await using fixture = await readRows(20);
    append(fixture, saleRow(21));
    await fixture.read();
    fixture.store.rows.delete(saleRow(21).commitmentId);
    append(fixture, saleRow(22));
    expect(await fixture.read()).toMatchObject({ kind: "sweep" });
    expectUpToDate(fixture);
  });

  it("isn't taken to be of the same chain by a node that has the block before, but not yet the one that is read", async () => {
    await using fixture = await readRows(20);
    const { chain, node, store } = fixture;
    const before = chain.head;
    chain.drop(1);
    chain.mine({ rows: saleRows(20, 100) });
    for (let block = 0; block < 40; block += 1) chain.mine();
    node.behaviour.interfere = ({ method, params: [name] }, honest) => {
      if (method !== "eth_getBlockByNumber" || name === "latest") return undefined;
      const hash = name === "0x1" ? before.hash : "f".repeat(64);
      return { kind: "result", result: { ...Object(honest), hash: `0x${hash}` } };
    };
    expect(await fixture.read()).toBeUndefined();
    expect(store.position).toMatchObject({ hash: before.hash });
    node.behaviour.interfere = () => undefined;
    await fixture.read();
    expectUpToDate(fixture);
  });

  it(
    "is shown as it is after random blocks and forks, without a sweep",
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.integer(), async (seed) => {
          const random = new Random(seed);
          await using fixture = await readRows(30);
          let made = 100;
          for (let step = 0; step < STEPS; step += 1) {
            const { head } = fixture.chain;
            const deepest = Math.min(DEEPEST_FORK, Number(head.number) - 1);
            if (deepest > 0 && random.next() < 0.4) fixture.chain.drop(random.integer(1, deepest));
            const end = head.number + (random.next() < 0.1 ? 40n : BigInt(random.integer(1, 4)));
            // A shorter chain isn't believed at once.
            while (fixture.chain.head.number < end) {
              const rows = saleRows(random.integer(0, 3), made);
              made += rows.length;
              append(fixture, ...rows);
            }
            expect(await fixture.read()).toMatchObject({ kind: "partial" });
            expectUpToDate(fixture);
            await fixture.reader.prove?.(fixture.store, fixture.signal);
          }
        }),
        { numRuns: RUNS },
      );
    },
    8000 * RUNS,
  );
});
