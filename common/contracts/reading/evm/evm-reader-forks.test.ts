import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../../../services/demo/bidders/random.ts";
import {
  type FakeEvmChain,
  rowLog,
  type SaleRow,
  saleRow,
  saleRows,
} from "../../../../test/support/chains/evm-chain.ts";
import { expectUpToDate, ReaderFixture, raised, readSale } from "../../../../test/support/chains/evm-reader-fixture.ts";
import { ROW_TOPICS, STAGE_TOPIC } from "../../reference/evm/abi.ts";

const RUNS = process.env["TEST_LONG"] === "1" ? 500 : 15;
const TIMEOUT_MS = 4000 * RUNS;
const STEPS = 12;
const DEEPEST_FORK = 8;

/** Replaces the newest blocks. */
function fork({ chain }: ReaderFixture, depth: number, ...changes: readonly ((chain: FakeEvmChain) => void)[]): void {
  chain.drop(depth);
  for (const change of changes) change(chain);
}

const put = (index: number, change: Parameters<typeof saleRow>[1] = {}) => {
  return (chain: FakeEvmChain) => void chain.put(index, saleRow(index + 1, change));
};

const mined = (change: Parameters<FakeEvmChain["mine"]>[0], topic: string) => {
  return (chain: FakeEvmChain) => void chain.mine(change, [{ topics: [topic] }]);
};

/** Bids in five more blocks, each read at once. */
async function fiveBlocks(count: number): Promise<ReaderFixture> {
  const fixture = await readSale(count);
  for (let block = 0; block < 5; block += 1) {
    fixture.chain.put(count + block, saleRow(count + block + 1));
    await fixture.read();
  }
  fixture.node.requests.length = 0;
  return fixture;
}

function rowsAsked({ node }: ReaderFixture): number {
  return node.requests.filter(({ functionName }) => functionName === "readCommitmentDataIn").length;
}

describe("after a re-organisation", () => {
  it.each([1, 2, 5])("of %i blocks, only rows are read that one side's logs name", async (depth) => {
    await using fixture = await fiveBlocks(250);
    fork(fixture, depth, ...Array.from({ length: depth }, (_, index) => put(index, { priceTicks: 99n })));
    const snapshot = await fixture.reader.next(fixture.store, fixture.signal);
    expect(snapshot).toMatchObject({ kind: "partial", count: BigInt(255 - depth) });
    expect(rowsAsked(fixture)).toBe(1);
    await fixture.read();
    expectUpToDate(fixture);
  });

  it("commitments that only abandoned blocks had are removed, and others take their indexes", async () => {
    await using fixture = await fiveBlocks(20);
    const [newcomer, late] = [saleRow(500), saleRow(25)];
    fork(
      fixture,
      5,
      (chain) => void chain.put(20, late),
      (chain) => void chain.put(21, newcomer),
      (chain) => void chain.mine(),
      (chain) => void chain.mine(),
      (chain) => void chain.mine(),
    );
    expect(await fixture.read()).toMatchObject({ kind: "partial", count: 22n });
    expectUpToDate(fixture);
  });

  it.each([
    ["as far back as the first read", 5],
    ["further back than the first read", 8],
  ])("that goes %s, it needs no sweep", async (_, depth) => {
    await using fixture = await ReaderFixture.start();
    for (let index = 0; index < 5; index += 1) fixture.chain.put(index, saleRow(index + 1));
    await fixture.read();
    for (let index = 5; index < 10; index += 1) fixture.chain.put(index, saleRow(index + 1));
    await fixture.read();
    const first = 10 - depth;
    fork(fixture, depth, ...Array.from({ length: depth }, (_unused, index) => put(first + index, { lockup: true })));
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    expectUpToDate(fixture);
  });

  it("to a lower height, the abandoned changes are taken back", async () => {
    await using fixture = await fiveBlocks(10);
    fork(fixture, 3);
    const kinds: (string | undefined)[] = [];
    for (let read = 0; read < 10; read += 1) kinds.push((await fixture.read().catch(() => undefined))?.kind);
    expect(new Set(kinds)).toEqual(new Set([undefined, "partial"]));
    expectUpToDate(fixture);
  });

  it("that follows another one, rows of both are read", async () => {
    await using fixture = await fiveBlocks(10);
    for (const [depth, priceTicks] of [
      [2, 30n],
      [4, 40n],
      [1, 50n],
    ] as const) {
      fork(fixture, depth, ...Array.from({ length: depth }, (_, index) => put(index + depth, { priceTicks })));
      expect(await fixture.read()).toMatchObject({ kind: "partial" });
      expectUpToDate(fixture);
    }
  });

  it("nothing is read twice by a proof that found every row right", async () => {
    await using fixture = await fiveBlocks(250);
    fork(fixture, 1, put(3, { priceTicks: 99n }));
    await fixture.read();
    const asked = rowsAsked(fixture);
    await fixture.read();
    // One row, and the proof's two steps.
    expect([asked, rowsAsked(fixture)]).toEqual([4, 4]);
  });

  it("a row that changed without a log is found by the proof, and later forks are swept", async () => {
    await using fixture = await fiveBlocks(10);
    const silently = (chain: FakeEvmChain) => {
      chain.mine({ rows: chain.head.state.rows.with(2, saleRow(3, { priceTicks: 77n })) });
    };
    fork(fixture, 1, silently);
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    expect(await fixture.read()).toMatchObject({ kind: "sweep" });
    expectUpToDate(fixture);
    fixture.chain.put(4, saleRow(5, { priceTicks: 11n }));
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    fork(fixture, 1, put(4, { priceTicks: 12n }));
    expect(await fixture.read()).toMatchObject({ kind: "sweep" });
    expectUpToDate(fixture);
  });

  it("an amount that changed without a log is never published without a sweep", async () => {
    await using fixture = await fiveBlocks(10);
    const silently = (chain: FakeEvmChain) => {
      chain.mine({ rows: chain.head.state.rows.with(2, raised(saleRow(3), 5n)) });
    };
    fork(fixture, 1, silently);
    expect([await fixture.read(), await fixture.read()]).toEqual([undefined, undefined]);
    expect(await fixture.read()).toMatchObject({ kind: "sweep" });
    expectUpToDate(fixture);
  });

  it.each<[string, (fixture: ReaderFixture) => void]>([
    [
      "that is deeper than all known blocks",
      (fixture) => fork(fixture, 66, ...Array.from({ length: 67 }, () => put(4, { priceTicks: 9n }))),
    ],
    ["with a stage that changes", (fixture) => fork(fixture, 1, mined({ stage: 2 }, STAGE_TOPIC))],
    ["with a log of unknown meaning", (fixture) => fork(fixture, 1, mined({}, `0x${"9".repeat(64)}`))],
    ["that moves a common row", (fixture) => fork(fixture, 1, swapFirstRows)],
  ])("%s, all rows are read", async (_, replace) => {
    await using fixture = await fiveBlocks(10);
    for (let block = 0; block < 70; block += 1) fixture.chain.mine();
    fixture.reader.invalidate();
    expect(await fixture.read()).toMatchObject({ kind: "sweep" });
    replace(fixture);
    expect(await fixture.read()).toMatchObject({ kind: "sweep" });
    expectUpToDate(fixture);
  });

  it("between two reads, all rows are read if no node has the contract's state at the common block any more", async () => {
    await using fixture = await readSale(10);
    const { hash } = fixture.chain.put(1, saleRow(2, { priceTicks: 8n }));
    fixture.chain.put(2, saleRow(3, { priceTicks: 8n }));
    await fixture.read();
    fork(fixture, 1, put(3, { priceTicks: 9n }));
    fixture.node.behaviour.interfere = ({ method, params }) => {
      const [, at] = params as readonly { readonly blockHash?: string }[];
      const isOld = method === "eth_call" && at?.blockHash === `0x${hash}`;
      return isOld ? { kind: "error", code: -32000, message: "missing trie node" } : undefined;
    };
    expect(await fixture.read()).toMatchObject({ kind: "sweep" });
    expectUpToDate(fixture);
  });

  it("the contract isn't asked for the common block's rows if it was read there", async () => {
    await using fixture = await fiveBlocks(10);
    fork(fixture, 2, put(1), put(2));
    await fixture.reader.next(fixture.store, fixture.signal);
    expect(fixture.node.requests.filter(({ functionName }) => functionName === "numCommitments")).toHaveLength(1);
  });

  it("of the block that is being read, the next read follows at once and shows no fault", async () => {
    await using fixture = await fiveBlocks(10);
    fixture.chain.put(3, saleRow(4, { priceTicks: 55n }));
    let isFirst = true;
    fixture.node.behaviour.interfere = ({ functionName }) => {
      if (functionName !== "readCommitmentDataIn" || !isFirst) return undefined;
      isFirst = false;
      fork(fixture, 1, put(4, { priceTicks: 66n }));
      return { kind: "error", code: -32000, message: "header not found" };
    };
    expect(await fixture.read()).toBeUndefined();
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    expectUpToDate(fixture);
  });

  it("of the block that is being swept, the fault asks for a read at once", async () => {
    await using fixture = await ReaderFixture.start();
    fixture.chain.mine({ rows: saleRows(250) });
    fixture.node.behaviour.interfere = ({ functionName }) => {
      if (functionName === "readCommitmentDataIn")
        fork(fixture, 1, (chain) => void chain.mine({ rows: saleRows(240) }));
      return undefined;
    };
    await expect(fixture.read()).rejects.toMatchObject({
      retryAfterMs: 0,
      message: expect.stringContaining("re-organised"),
    });
    fixture.node.behaviour.interfere = () => undefined;
    await fixture.read();
    expectUpToDate(fixture);
  });

  it("of any depth, any number of times, the rows are those of the contract, without a sweep", {
    timeout: TIMEOUT_MS,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const random = new Random(seed);
        await using fixture = await readSale(random.integer(1, 30));
        const { chain } = fixture;
        for (let block = 0; block < DEEPEST_FORK; block += 1) changeSale(chain, random);
        await fixture.read();
        for (let step = 0; step < STEPS; step += 1) {
          const depth = random.integer(0, DEEPEST_FORK);
          chain.drop(depth);
          for (let block = 0; block <= depth; block += 1) changeSale(chain, random);
          expect(await fixture.read()).toMatchObject({ kind: "partial" });
          expectUpToDate(fixture);
        }
      }),
      { numRuns: RUNS },
    );
  });
});

/** A block with up to three changes, each with its log. */
function changeSale(chain: FakeEvmChain, random: Random): void {
  let { rows } = chain.head.state;
  const logs = Array.from({ length: random.integer(0, 3) }, () => {
    const row = random.next() < 0.3 ? newcomer(rows, random) : random.pick(rows);
    const at = rows.findIndex(({ entityId }) => entityId === row?.entityId);
    const [changed, topic] = changeOf(row ?? saleRow(1), random);
    rows = rows.toSpliced(at < 0 ? rows.length : at, 1, changed);
    return rowLog(changed, topic);
  });
  chain.mine({ rows }, logs);
}

/** One of few entities, so that both sides of a fork often have the same ones. */
function newcomer(rows: readonly SaleRow[], random: Random): SaleRow {
  const row = saleRow(1 + random.integer(0, 40));
  return rows.find(({ entityId }) => entityId === row.entityId) ?? row;
}

function changeOf(row: SaleRow, random: Random): readonly [SaleRow, string] {
  const { priceTicks, createdAtSeconds, lockup } = row;
  const changes: readonly (readonly [SaleRow, string])[] = [
    [raised(row, BigInt(random.integer(1, 9))), ROW_TOPICS.commitmentIncreased],
    [{ ...row, priceTicks: priceTicks + 1n, createdAtSeconds: createdAtSeconds + 1n }, ROW_TOPICS.bidPlaced],
    [{ ...row, lockup: !lockup }, ROW_TOPICS.bidPlaced],
    [{ ...row, refunded: true }, ROW_TOPICS.entityRefunded],
  ];
  return random.pick(changes) ?? [row, ROW_TOPICS.bidPlaced];
}

function swapFirstRows(chain: FakeEvmChain): void {
  const [first, second, ...others] = chain.head.state.rows;
  if (first === undefined || second === undefined) throw new Error("two rows were expected");
  chain.mine({ rows: [second, first, ...others] }, [rowLog(first), rowLog(second)]);
}
