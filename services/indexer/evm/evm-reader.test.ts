import { describe, expect, it } from "vitest";
import { rowLog, type SaleRow, saleRow, saleRows, TOKEN } from "../../../test/support/evm-chain.ts";
import type { NodeBehaviour } from "../../../test/support/evm-node.ts";
import { ReaderFixture } from "../../../test/support/evm-reader-fixture.ts";
import { ROW_TOPICS, STAGE_TOPIC } from "./abi.ts";

/** What the contract holds at the head, as the store should show it. */
function expectInStep({ store, chain }: ReaderFixture): void {
  expect(store.position).toEqual({ height: chain.head.number, hash: chain.head.hash });
  expect(store.visible).toEqual(chain.head.state.rows.map((row, index) => ({ ...row, sourceIndex: BigInt(index) })));
}

/** A sale of `count` rows that was read once and is known to log. */
async function readSale(count: number, behaviour: Partial<NodeBehaviour> = {}): Promise<ReaderFixture> {
  const fixture = await ReaderFixture.start(behaviour);
  const rows = saleRows(count);
  fixture.chain.mine(
    { rows },
    rows.map((row) => rowLog(row)),
  );
  await fixture.read();
  return fixture;
}

function raised(row: SaleRow, by: bigint): SaleRow {
  const [first, ...others] = row.amounts;
  if (first === undefined) throw new Error("the row has no amount");
  return { ...row, amounts: [{ ...first, amount: first.amount + by }, ...others] };
}

describe("a sweep", () => {
  it("reads everything at the first time, and nothing while the head stays", async () => {
    await using fixture = await ReaderFixture.start();
    fixture.chain.mine({ rows: saleRows(250), stage: 2 });
    const reading = await fixture.read();
    expect(reading).toMatchObject({ kind: "sweep", stage: "cancellation", count: 250n, headHeight: 1n });
    expect(reading?.rowsRead()).toBe(250n);
    expect(reading?.warning()).toBeUndefined();
    expectInStep(fixture);
    expect(await fixture.read()).toBeUndefined();
  });

  it("reads a sale without commitments", async () => {
    await using fixture = await ReaderFixture.start();
    await fixture.read();
    expect(fixture.store.hasSnapshot).toBe(true);
    expectInStep(fixture);
  });

  it("finds moved, changed and removed rows", async () => {
    await using fixture = await ReaderFixture.start({
      absentFunctions: new Set(["stage", "totalCommittedAmountByToken"]),
    });
    fixture.chain.mine({ rows: saleRows(230) });
    expect((await fixture.read())?.stage).toBeUndefined();
    const kept = saleRows(230).filter((_, index) => index !== 3 && index !== 120);
    fixture.chain.mine({ rows: kept.toReversed().with(7, raised(saleRow(223), 1n)) });
    expect(await fixture.read()).toMatchObject({ kind: "sweep", count: 228n });
    expectInStep(fixture);
  });

  it("refuses a commitment that is listed twice, also far apart", async () => {
    await using fixture = await ReaderFixture.start();
    fixture.chain.mine({ rows: saleRows(230).with(229, saleRow(2)) });
    await expect(fixture.read()).rejects.toThrow(`0x${saleRow(2).commitmentId} twice`);
    expect(fixture.store.hasSnapshot).toBe(false);
  });

  it("carries on from the parts of a reading that broke off", async () => {
    await using fixture = await readSale(250);
    fixture.chain.mine({ rows: saleRows(250).toReversed() });
    fixture.node.behaviour.interfere = ({ functionName, params }) =>
      functionName === "readCommitmentDataIn" && JSON.stringify(params).includes("c8".padStart(64, "0"))
        ? { kind: "result", result: "0x" }
        : undefined;
    fixture.restart();
    await expect(fixture.read()).rejects.toThrow("answered nothing");
    expect(fixture.store.visible[0]).toMatchObject({ commitmentId: saleRow(1).commitmentId });
    fixture.node.behaviour.interfere = () => undefined;
    await fixture.read();
    expectInStep(fixture);
  });

  it("asks for less where the node runs out of gas", async () => {
    await using fixture = await readSale(250, { maxRows: 7 });
    expectInStep(fixture);
  });

  it("pins the block by number where the node takes no hashes, and notices that it moved", async () => {
    await using fixture = await readSale(250, { byNumberOnly: true });
    expectInStep(fixture);
    fixture.chain.mine({ rows: saleRows(260) });
    fixture.restart();
    let moved = false;
    fixture.node.behaviour.interfere = ({ functionName }) => {
      if (functionName !== "readCommitmentDataIn" || moved) return undefined;
      moved = true;
      fixture.chain.drop(1);
      fixture.chain.mine({ rows: saleRows(260, 1000) });
      return undefined;
    };
    await expect(fixture.read()).rejects.toThrow("re-organised");
    expect(fixture.store.visible).toHaveLength(250);
    await fixture.read();
    expectInStep(fixture);
  });

  it("reads one block though the chain goes on meanwhile", async () => {
    await using fixture = await ReaderFixture.start();
    const pinned = fixture.chain.mine({ rows: saleRows(250) });
    fixture.node.behaviour.interfere = ({ functionName }) => {
      if (functionName === "readCommitmentDataIn") fixture.chain.put(0, raised(saleRow(1), 5n));
      return undefined;
    };
    await fixture.read();
    expect(fixture.store.position?.hash).toBe(pinned.hash);
    expect(fixture.store.visible[0]?.amounts).toEqual(saleRow(1).amounts);
  });

  it("refuses a token that the sale doesn't know, and names it", async () => {
    await using fixture = await ReaderFixture.start();
    const token = `0x${"e".repeat(40)}`;
    fixture.chain.mine({ rows: [saleRow(1, { amounts: [{ wallet: TOKEN, token, amount: 0n }] })] });
    await expect(fixture.read()).rejects.toMatchObject({ remedy: "mend", message: expect.stringContaining(token) });
    expect(fixture.store.hasSnapshot).toBe(false);
  });

  it("refuses the contract of another sale", async () => {
    await using fixture = await ReaderFixture.start();
    fixture.node.behaviour.interfere = ({ functionName }) =>
      functionName === "saleUUID" ? { kind: "result", result: `0x${"12".repeat(16)}${"0".repeat(32)}` } : undefined;
    await expect(fixture.read()).rejects.toMatchObject({
      remedy: "mend",
      message: expect.stringContaining("saleUUID"),
    });
  });

  it("lets a total that differs in the same way at three blocks through, with a warning", async () => {
    await using fixture = await ReaderFixture.start();
    fixture.chain.mine({ rows: saleRows(3), surplus: 5n });
    await expect(fixture.read()).rejects.toThrow(`5 too much of token ${TOKEN}`);
    await expect(fixture.read()).rejects.toThrow("5 too much");
    fixture.chain.mine();
    await expect(fixture.read()).rejects.toThrow("5 too much");
    fixture.chain.mine();
    expect((await fixture.read())?.warning()).toContain("5 too much");
    expectInStep(fixture);
    fixture.chain.mine({ surplus: 6n });
    await expect(fixture.read()).rejects.toThrow("6 too much");
    fixture.chain.mine({ surplus: 0n });
    expect((await fixture.read())?.warning()).toBeUndefined();
    expectInStep(fixture);
  });

  it("takes at most a tenth of the time where the contract can only be swept", async () => {
    await using fixture = await ReaderFixture.start();
    fixture.chain.mine({ rows: saleRows(3) });
    fixture.node.behaviour.interfere = ({ functionName }) => {
      if (functionName === "readCommitmentDataIn") fixture.clock.advance(1000);
      return undefined;
    };
    await fixture.read();
    fixture.chain.mine({ rows: saleRows(4) });
    fixture.clock.advance(8999);
    expect(await fixture.read()).toBeUndefined();
    fixture.clock.advance(1);
    expect(await fixture.read()).toMatchObject({ kind: "sweep", count: 4n });
  });
});

describe("a partial reading", () => {
  it("reads only what the logs name, and what is new", async () => {
    await using fixture = await readSale(250);
    const { chain, node } = fixture;
    chain.put(100, raised(saleRow(101), 9n), ROW_TOPICS.commitmentIncreased);
    chain.put(250, saleRow(251));
    chain.put(7, saleRow(8, { refunded: true, amounts: [] }), ROW_TOPICS.entityRefunded);
    chain.mine({ stage: 4 }, [{ topics: [STAGE_TOPIC, `0x${"0".repeat(64)}`, `0x${"0".repeat(63)}4`] }]);
    node.requests.length = 0;
    const reading = await fixture.read();
    expect(reading).toMatchObject({ kind: "partial", stage: "done", count: 251n });
    expect(reading?.rowsRead()).toBe(3n);
    expectInStep(fixture);
    expect(node.requests.filter(({ functionName }) => functionName === "readCommitmentDataIn")).toHaveLength(3);
  });

  it("asks for the logs of one block by its hash", async () => {
    await using fixture = await readSale(5);
    fixture.chain.put(1, raised(saleRow(2), 9n));
    await fixture.read();
    const query = fixture.node.requests.findLast(({ method }) => method === "eth_getLogs");
    expect(query?.params).toEqual([expect.objectContaining({ blockHash: `0x${fixture.chain.head.hash}` })]);
    expectInStep(fixture);
  });

  it("begins once the contract is seen to log", async () => {
    await using fixture = await ReaderFixture.start();
    await fixture.read();
    const kinds: (string | undefined)[] = [];
    for (const number of [1, 2, 3]) {
      fixture.chain.put(number - 1, saleRow(number));
      kinds.push((await fixture.read())?.kind);
      expectInStep(fixture);
    }
    expect(kinds).toEqual(["sweep", "partial", "partial"]);
  });

  it.each([
    [
      "an unknown topic",
      (log: { topics: readonly string[] }) => ({ topics: [`0x${"9".repeat(64)}`, ...log.topics.slice(1)] }),
    ],
    ["a row topic without an entity", (log: { topics: readonly string[] }) => ({ topics: log.topics.slice(0, 1) })],
  ])("becomes a sweep at %s, without losing trust", async (_, change) => {
    await using fixture = await readSale(5);
    const row = raised(saleRow(2), 1n);
    fixture.chain.mine({ rows: fixture.chain.head.state.rows.with(1, row) }, [change(rowLog(row))]);
    const reading = await fixture.read();
    expect(reading).toMatchObject({ kind: "sweep" });
    expect(reading?.warning()).toBeUndefined();
    expectInStep(fixture);
    fixture.chain.put(1, raised(saleRow(2), 2n));
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
  });

  it.each([
    ["an amount", raised(saleRow(2), 1n)],
    ["an amount of another entity than logged", raised(saleRow(3), 1n)],
  ])("becomes a sweep where %s changed without a log, and logs are trusted no more", async (_, row) => {
    await using fixture = await readSale(5);
    const index = Number(BigInt(`0x${row.entityId}`)) - 1;
    fixture.chain.mine({ rows: fixture.chain.head.state.rows.with(index, row) }, [rowLog(saleRow(1))]);
    const reading = await fixture.read();
    expect(reading).toMatchObject({ kind: "sweep" });
    expect(reading?.warning()).toContain("without a log");
    expectInStep(fixture);
    fixture.chain.put(3, raised(saleRow(4), 1n));
    expect(await fixture.read()).toMatchObject({ kind: "sweep" });
  });

  it("is checked by a sweep after the interval, which finds a price that changed without a log", async () => {
    await using fixture = await readSale(5);
    fixture.chain.mine({ rows: fixture.chain.head.state.rows.with(1, saleRow(2, { priceTicks: 8n })) });
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    fixture.clock.advance(600_000);
    fixture.chain.mine();
    const reading = await fixture.read();
    expect(reading).toMatchObject({ kind: "sweep" });
    expectInStep(fixture);
    // The log that was missing is older than the last position; the sweep sees the difference all the same.
    expect(reading?.warning()).toContain("without a log");
  });

  it.each([
    ["the logs can't be had", { hasLogs: false }],
    ["the contract has no totals", { absentFunctions: new Set(["totalCommittedAmountByToken"]) }],
  ])("is not made where %s", async (_, behaviour) => {
    await using fixture = await readSale(5, behaviour);
    fixture.chain.put(1, raised(saleRow(2), 1n));
    expect(await fixture.read()).toMatchObject({ kind: "sweep" });
    expectInStep(fixture);
  });

  it("is not made where IDs aren't those of entities", async () => {
    await using fixture = await ReaderFixture.start();
    const rows = saleRows(3).map((row) => ({ ...row, commitmentId: row.commitmentId.replaceAll(/0$/g, "1") }));
    fixture.chain.mine(
      { rows },
      rows.map((row) => rowLog(row)),
    );
    await fixture.read();
    fixture.chain.put(1, raised(rows[1] ?? saleRow(0), 1n));
    const reading = await fixture.read();
    expect(reading).toMatchObject({ kind: "sweep" });
    expect(reading?.warning()).toBeUndefined();
    expectInStep(fixture);
  });

  it("gives way to a sweep after a doubt, a restart or a store that is elsewhere", async () => {
    await using fixture = await readSale(5);
    const { chain, store } = fixture;
    const next = () => chain.put(1, raised(saleRow(2), chain.head.number));
    next();
    fixture.reader.doubt("told so");
    expect(await fixture.read()).toMatchObject({ kind: "sweep" });
    next();
    fixture.restart();
    expect(await fixture.read()).toMatchObject({ kind: "sweep" });
    next();
    store.position = { height: 1n, hash: "0".repeat(64) };
    expect(await fixture.read()).toMatchObject({ kind: "sweep" });
    next();
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    expectInStep(fixture);
  });

  it("doesn't count as made before it is applied", async () => {
    await using fixture = await readSale(5);
    fixture.chain.put(1, raised(saleRow(2), 1n));
    expect(await fixture.reader.next(fixture.store, fixture.signal)).toMatchObject({ kind: "partial" });
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    expectInStep(fixture);
  });
});

describe("a re-organisation", () => {
  it.each([1, 2, 5])("of %i blocks is read over with a sweep", async (depth) => {
    await using fixture = await readSale(5);
    for (const number of [6, 7, 8, 9, 10]) {
      fixture.chain.put(number - 1, saleRow(number));
      await fixture.read();
    }
    fixture.chain.drop(depth);
    for (let step = 0; step <= depth; step += 1) fixture.chain.put(step, saleRow(step + 1, { priceTicks: 99n }));
    const reading = await fixture.read();
    expect(reading).toMatchObject({ kind: "sweep" });
    expect(reading?.warning()).toBeUndefined();
    expectInStep(fixture);
    fixture.chain.put(0, raised(saleRow(1), 3n));
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
  });

  it("to a lower height is believed after a while", async () => {
    await using fixture = await readSale(5);
    fixture.chain.mine();
    fixture.chain.put(0, raised(saleRow(1), 3n));
    await fixture.read();
    const { hash } = fixture.chain.head;
    fixture.chain.drop(2);
    expect(await fixture.read()).toBeUndefined();
    expect(fixture.store.position?.hash).toBe(hash);
    for (let look = 0; look < 10; look += 1) await fixture.read().catch(() => undefined);
    expectInStep(fixture);
  });

  it("while the rows are read publishes nothing", async () => {
    await using fixture = await readSale(250);
    fixture.chain.mine({ rows: saleRows(250).toReversed() });
    fixture.restart();
    fixture.node.behaviour.interfere = ({ functionName }) => {
      if (functionName === "readCommitmentDataIn") {
        fixture.chain.drop(1);
        fixture.chain.mine({ rows: saleRows(200) });
      }
      return undefined;
    };
    await expect(fixture.read()).rejects.toMatchObject({ remedy: "wait" });
    expect(fixture.store.visible).toHaveLength(250);
    fixture.node.behaviour.interfere = () => undefined;
    await fixture.read();
    expectInStep(fixture);
  });
});

describe("a fault", () => {
  it("tells an address without a contract", async () => {
    await using fixture = await ReaderFixture.start();
    fixture.node.behaviour.interfere = ({ method }) =>
      method === "eth_call" || method === "eth_getCode" ? { kind: "result", result: "0x" } : undefined;
    await expect(fixture.read()).rejects.toMatchObject({
      remedy: "mend",
      message: expect.stringContaining("no contract at"),
    });
  });

  it("tells a contract without the interface", async () => {
    await using fixture = await ReaderFixture.start({ absentFunctions: new Set(["numCommitments"]) });
    await expect(fixture.read()).rejects.toMatchObject({
      remedy: "mend",
      message: expect.stringContaining("no sale contract"),
    });
  });

  it("tells a node that is behind what was read", async () => {
    await using fixture = await readSale(5);
    fixture.store.position = { height: 50n, hash: "0".repeat(64) };
    await expect(fixture.read()).rejects.toMatchObject({
      remedy: "wait",
      message: expect.stringContaining("behind block 50"),
    });
  });
});
