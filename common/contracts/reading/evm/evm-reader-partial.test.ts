import { describe, expect, it } from "vitest";
import { rowLog, saleRow, saleRows } from "../../../../test/support/chains/evm-chain.ts";
import type { RpcRequest } from "../../../../test/support/chains/evm-node.ts";
import { expectUpToDate, ReaderFixture, raised, readSale } from "../../../../test/support/chains/evm-reader-fixture.ts";
import { ROW_TOPICS, STAGE_TOPIC } from "../../reference/evm/abi.ts";

/** A predicate for the first call of a function. */
function firstOf(functionName: string): (request: RpcRequest) => boolean {
  let isOver = false;
  return (request) => {
    const isFirst = !isOver && request.functionName === functionName;
    isOver ||= isFirst;
    return isFirst;
  };
}

describe("a partial read", () => {
  it("reads only the rows that the logs name, and new ones", async () => {
    await using fixture = await readSale(250);
    const { chain, node } = fixture;
    chain.put(100, raised(saleRow(101), 9n), ROW_TOPICS.commitmentIncreased);
    chain.put(250, saleRow(251));
    chain.put(7, saleRow(8, { refunded: true, amounts: [] }), ROW_TOPICS.entityRefunded);
    chain.mine({ stage: 4 }, [{ topics: [STAGE_TOPIC, `0x${"0".repeat(64)}`, `0x${"0".repeat(63)}4`] }]);
    node.requests.length = 0;
    const snapshot = await fixture.read();
    expect(snapshot).toMatchObject({ kind: "partial", stage: "done", count: 251n });
    expect(snapshot?.rowsRead()).toBe(3n);
    expectUpToDate(fixture);
    expect(node.requests.filter(({ functionName }) => functionName === "readCommitmentDataIn")).toHaveLength(3);
  });

  it("asks for the logs of one block by its hash", async () => {
    await using fixture = await readSale(5);
    fixture.chain.put(1, raised(saleRow(2), 9n));
    await fixture.read();
    const query = fixture.node.requests.findLast(({ method }) => method === "eth_getLogs");
    expect(query?.params).toEqual([expect.objectContaining({ blockHash: `0x${fixture.chain.head.hash}` })]);
    expectUpToDate(fixture);
  });

  it("asks again for a single row for which a node hasn't enough gas", async () => {
    await using fixture = await readSale(5);
    fixture.chain.put(1, raised(saleRow(2), 9n));
    const isFirst = firstOf("readCommitmentDataIn");
    fixture.node.behaviour.interfere = (request) =>
      isFirst(request) ? { kind: "error", code: -32000, message: "out of gas" } : undefined;
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    expectUpToDate(fixture);
  });

  it("is followed by a sweep after a change of stage, because rows may have changed without a log", async () => {
    await using fixture = await readSale(5);
    const done = saleRows(5).map((row) => ({ ...row, refunded: true }));
    fixture.chain.mine({ stage: 4, rows: done }, [{ topics: [STAGE_TOPIC] }]);
    expect(await fixture.read()).toMatchObject({ kind: "partial", stage: "done" });
    fixture.chain.mine();
    expect(await fixture.read()).toMatchObject({ kind: "sweep", stage: "done" });
    expectUpToDate(fixture);
  });

  it("waits if the node counts rows that the block doesn't have", async () => {
    await using fixture = await readSale(250);
    const { chain, node } = fixture;
    chain.put(3, raised(saleRow(4), 1n));
    const isFirst = firstOf("numCommitments");
    // Like a node that answers for a newer block than the requested one.
    node.behaviour.interfere = (request) =>
      isFirst(request) ? { kind: "result", result: `0x${"fb".padStart(64, "0")}` } : undefined;
    expect(await fixture.read()).toBeUndefined();
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    expectUpToDate(fixture);
  });

  it("reports a node that keeps contradicting itself", async () => {
    await using fixture = await readSale(5);
    fixture.chain.put(3, raised(saleRow(4), 1n));
    const readContradicted = () => {
      const isFirst = firstOf("numCommitments");
      fixture.node.behaviour.interfere = (request) =>
        isFirst(request) ? { kind: "result", result: `0x${"6".padStart(64, "0")}` } : undefined;
      return fixture.read();
    };
    await readContradicted();
    await readContradicted();
    await expect(readContradicted()).rejects.toThrow("contradict each other: first 6 commitments or more, then 5");
  });

  it("doesn't wait for the next sweep if the node's first answer about logs failed", async () => {
    await using fixture = await ReaderFixture.start({
      interfere: ({ method }) => (method === "eth_getLogs" ? { kind: "status", status: 500 } : undefined),
    });
    fixture.chain.put(0, saleRow(1));
    expect(await fixture.read()).toMatchObject({ kind: "sweep" });
    fixture.node.behaviour.interfere = () => undefined;
    fixture.chain.put(0, raised(saleRow(1), 1n));
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    expectUpToDate(fixture);
  });

  it("begins once the contract is seen to log", async () => {
    await using fixture = await ReaderFixture.start();
    await fixture.read();
    const kinds: (string | undefined)[] = [];
    for (const number of [1, 2, 3]) {
      fixture.chain.put(number - 1, saleRow(number));
      kinds.push((await fixture.read())?.kind);
      expectUpToDate(fixture);
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
    const snapshot = await fixture.read();
    expect(snapshot).toMatchObject({ kind: "sweep" });
    expect(snapshot?.warning()).toBeUndefined();
    expectUpToDate(fixture);
    fixture.chain.put(1, raised(saleRow(2), 2n));
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
  });

  it.each([
    ["an amount", raised(saleRow(2), 1n)],
    ["an amount of another entity than logged", raised(saleRow(3), 1n)],
  ])("waits if %s changed without a log, then becomes a sweep, and logs are no longer trusted", async (_, row) => {
    await using fixture = await readSale(5);
    const index = Number(BigInt(`0x${row.entityId}`)) - 1;
    fixture.chain.mine({ rows: fixture.chain.head.state.rows.with(index, row) }, [rowLog(saleRow(1))]);
    // A node may have the state of a block before it has its logs.
    expect([await fixture.read(), await fixture.read()]).toEqual([undefined, undefined]);
    const snapshot = await fixture.read();
    expect(snapshot).toMatchObject({ kind: "sweep" });
    expect(snapshot?.warning()).toBeUndefined();
    expectUpToDate(fixture);
    fixture.chain.put(3, raised(saleRow(4), 1n));
    const second = await fixture.read();
    expect(second).toMatchObject({ kind: "sweep" });
    expect(second?.warning()).toContain("without a log");
    fixture.chain.put(3, raised(saleRow(4), 2n));
    expect(await fixture.read()).toMatchObject({ kind: "sweep" });
  });

  it("is checked by a sweep after the interval, which finds a price that changed without a log", async () => {
    await using fixture = await readSale(5);
    fixture.chain.mine({ rows: fixture.chain.head.state.rows.with(1, saleRow(2, { priceTicks: 8n })) });
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    fixture.clock.advance(600_000);
    fixture.chain.mine();
    const snapshot = await fixture.read();
    expect(snapshot).toMatchObject({ kind: "sweep" });
    expectUpToDate(fixture);
    fixture.chain.mine();
    // The missing log is older than the last position. The sweeps find the difference nevertheless.
    expect((await fixture.read())?.warning()).toContain("without a log");
  });

  it.each([
    ["the logs can't be had", { hasLogs: false }],
    ["the contract has no totals", { absentFunctions: new Set(["totalCommittedAmountByToken"]) }],
  ])("isn't made if %s", async (_, behaviour) => {
    await using fixture = await readSale(5, behaviour);
    fixture.chain.put(1, raised(saleRow(2), 1n));
    expect(await fixture.read()).toMatchObject({ kind: "sweep" });
    expectUpToDate(fixture);
  });

  it("isn't made if commitment IDs aren't entity IDs", async () => {
    await using fixture = await ReaderFixture.start();
    const rows = saleRows(3).map((row) => ({ ...row, commitmentId: row.commitmentId.replaceAll(/0$/g, "1") }));
    fixture.chain.mine(
      { rows },
      rows.map((row) => rowLog(row)),
    );
    await fixture.read();
    fixture.chain.put(1, raised(rows[1] ?? saleRow(0), 1n));
    const snapshot = await fixture.read();
    expect(snapshot).toMatchObject({ kind: "sweep" });
    expect(snapshot?.warning()).toBeUndefined();
    expectUpToDate(fixture);
  });

  it("is replaced by a sweep after an invalidation, a restart or another change of the store", async () => {
    await using fixture = await readSale(5);
    const { chain, store } = fixture;
    const next = () => chain.put(1, raised(saleRow(2), chain.head.number));
    next();
    fixture.reader.invalidate();
    expect(await fixture.read()).toMatchObject({ kind: "sweep" });
    next();
    fixture.restart();
    expect(await fixture.read()).toMatchObject({ kind: "sweep" });
    next();
    store.position = { height: 1n, hash: "0".repeat(64) };
    expect(await fixture.read()).toMatchObject({ kind: "sweep" });
    next();
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    expectUpToDate(fixture);
  });

  it("is replaced by a sweep at once, without a rest, if thousands of bids came during the first sweep", async () => {
    await using fixture = await readSale(300);
    fixture.node.behaviour.interfere = () => void fixture.clock.advance(100);
    fixture.restart();
    expect(await fixture.read()).toMatchObject({ kind: "sweep" });
    const newcomers = saleRows(2500, 301);
    fixture.chain.mine(
      { rows: [...fixture.chain.head.state.rows, ...newcomers] },
      newcomers.map((row) => rowLog(row)),
    );
    expect(await fixture.read()).toMatchObject({ kind: "sweep" });
    expectUpToDate(fixture);
  });

  it("doesn't count before it is applied", async () => {
    await using fixture = await readSale(5);
    fixture.chain.put(1, raised(saleRow(2), 1n));
    expect(await fixture.reader.next(fixture.store, fixture.signal)).toMatchObject({ kind: "partial" });
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    expectUpToDate(fixture);
  });
});
