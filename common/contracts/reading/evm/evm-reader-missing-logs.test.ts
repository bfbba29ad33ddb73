import { describe, expect, it, vi } from "vitest";
import { rowLog, saleRow, saleRows } from "../../../../test/support/chains/evm-chain.ts";
import {
  CONTRACT,
  type EvmNode,
  type Interference,
  type RpcRequest,
} from "../../../../test/support/chains/evm-node.ts";
import {
  expectUpToDate,
  firstRead,
  ReaderFixture,
  readSale,
} from "../../../../test/support/chains/evm-reader-fixture.ts";

/** A raise of the price alone, which no total shows. */
const raise = (number: number) => saleRow(number, { priceTicks: 9999n });

const NONE: Interference = { kind: "result", result: [] };

const isByHash = ({ method, params }: RpcRequest) =>
  method === "eth_getLogs" && JSON.stringify(params).includes("blockHash");
const isByRange = ({ method, params }: RpcRequest) =>
  method === "eth_getLogs" && JSON.stringify(params).includes("fromBlock");

/** Makes a node leave out logs from the first answers of a kind. @param left logs that it keeps in an answer */
function forget(node: EvmNode, isMeant: (request: RpcRequest) => boolean, times: number, left = 0): void {
  let count = 0;
  node.behaviour.interfere = (request, honest) => {
    if (!isMeant(request) || count === times) return undefined;
    count += 1;
    return Array.isArray(honest) ? { kind: "result", result: honest.slice(0, left) } : NONE;
  };
}

/** Takes the newest blocks from the second node. */
function lag({ chain, other }: ReaderFixture, blocks: bigint): void {
  if (other === undefined) throw new Error("the fixture has a second node");
  other.behaviour.interfere = ({ method, params: [which] }, honest) => {
    const newest = chain.head.number - blocks;
    if (method === "eth_getBlockByNumber" && /^0x/.test(String(which)) && BigInt(String(which)) > newest)
      return { kind: "result", result: null };
    if (method !== "eth_getLogs" || !Array.isArray(honest)) return undefined;
    return { kind: "result", result: honest.filter((log) => BigInt(log.blockNumber) <= newest) };
  };
}

/** Makes a node never answer about logs. Each limit of a second question is over once such a request has arrived. */
function silenceLogs(node: EvmNode): Disposable {
  const original = AbortSignal.timeout.bind(AbortSignal);
  const limits: AbortController[] = [];
  const spy = vi.spyOn(AbortSignal, "timeout").mockImplementation((millis) => {
    if (millis >= 5_000) return original(millis);
    const limit = new AbortController();
    limits.push(limit);
    return limit.signal;
  });
  node.behaviour.interfere = ({ method, params }) => {
    if (method !== "eth_getLogs" || !JSON.stringify(params).includes("fromBlock")) return undefined;
    for (const limit of limits.splice(0)) limit.abort(new Error("over"));
    return { kind: "silence" };
  };
  return { [Symbol.dispose]: () => spy.mockRestore() };
}

function methods(node: EvmNode): readonly string[] {
  return node.requests.map(({ method }) => method);
}

describe("a log that a node leaves out once", () => {
  it("by hash is found in the block's receipts, as the header's bloom has the contract", async () => {
    await using fixture = await readSale(5);
    fixture.chain.put(2, raise(3));
    forget(fixture.node, isByHash, 1);
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    expectUpToDate(fixture);
    expect(methods(fixture.node).filter((method) => method === "eth_getBlockReceipts")).toHaveLength(1);
  });

  it("by hash is asked for again where receipts aren't offered", async () => {
    await using fixture = await readSale(5, { hasReceipts: false });
    fixture.chain.put(2, raise(3));
    forget(fixture.node, isByHash, 1);
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    expectUpToDate(fixture);
  });

  it.each([[null], [[]], [{}]])("by hash is asked for again where the block's receipts are %j", async (result) => {
    await using fixture = await readSale(5);
    fixture.chain.put(2, raise(3));
    let isForgotten = false;
    fixture.node.behaviour.interfere = (request) => {
      if (request.method === "eth_getBlockReceipts") return { kind: "result", result };
      if (!isByHash(request) || isForgotten) return undefined;
      isForgotten = true;
      return NONE;
    };
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    expectUpToDate(fixture);
  });

  it("by hash is asked for again, without receipts, on a chain whose blooms are nearly full", async () => {
    await using fixture = await readSale(5);
    fixture.chain.put(2, raise(3));
    const logsBloom = `0x${"f".repeat(511)}e`;
    let isForgotten = false;
    fixture.node.behaviour.interfere = (request, honest) => {
      if (request.method === "eth_getBlockByNumber")
        return { kind: "result", result: { ...Object(honest), logsBloom } };
      if (!isByHash(request) || isForgotten) return undefined;
      isForgotten = true;
      return NONE;
    };
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    expectUpToDate(fixture);
    expect(methods(fixture.node)).not.toContain("eth_getBlockReceipts");
  });

  it("by hash is had from another URL, without receipts", async () => {
    await using fixture = await firstRead(await ReaderFixture.startTwo(), 5);
    fixture.chain.put(2, raise(3));
    forget(fixture.node, isByHash, 100);
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    expectUpToDate(fixture);
    expect(methods(fixture.other as EvmNode)).not.toContain("eth_getBlockReceipts");
  });

  it("beside a log of another kind is found, as the bloom has its topic", async () => {
    await using fixture = await readSale(5);
    const rows = fixture.chain.head.state.rows.with(1, raise(2)).with(2, raise(3));
    const topic = "0xc8aad04394fdadca1061d5b8baaa87b845f6bcbf28753c86d81f48504d8bb442";
    fixture.chain.mine({ rows }, [rowLog(saleRow(2), topic), rowLog(saleRow(3))]);
    forget(fixture.node, isByHash, 1, 1);
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    expectUpToDate(fixture);
  });

  it("beside a log of the same kind, which no bloom shows, is found with the next block", async () => {
    await using fixture = await readSale(5);
    const rows = fixture.chain.head.state.rows.with(1, raise(2)).with(2, raise(3));
    fixture.chain.mine({ rows }, [rowLog(saleRow(2)), rowLog(saleRow(3))]);
    forget(fixture.node, isByHash, 1, 1);
    await fixture.read();
    expect(fixture.store.visible?.[2]).toMatchObject({ priceTicks: 7n });
    fixture.chain.mine();
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    expectUpToDate(fixture);
  });

  it.each([2, 30])("by range of %i blocks is found by the blooms of its headers", async (blocks) => {
    await using fixture = await readSale(5);
    fixture.chain.put(2, raise(3));
    for (let block = 0; block < blocks; block += 1) fixture.chain.mine();
    forget(fixture.node, isByRange, 1);
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    expectUpToDate(fixture);
  });

  it("by range of more than 32 blocks is found by the second question, and no headers are read", async () => {
    await using fixture = await readSale(5);
    fixture.chain.put(2, raise(3));
    for (let block = 0; block < 40; block += 1) fixture.chain.mine();
    forget(fixture.node, isByRange, 1);
    fixture.node.requests.length = 0;
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    expectUpToDate(fixture);
    const headers = methods(fixture.node).filter((method) => method === "eth_getBlockByNumber");
    expect(headers.length).toBeLessThan(10);
  });

  it.each([1, 2, 3])("%i blocks ago is found with the next block, on a chain that fills no blooms", async (blocks) => {
    await using fixture = await readSale(5, { fillsBloom: false });
    fixture.chain.mine();
    await fixture.read();
    fixture.chain.put(2, raise(3));
    forget(fixture.node, isByHash, 1);
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    // Nothing shows it yet.
    expect(fixture.store.visible?.[2]).toMatchObject({ priceTicks: 7n });
    for (let block = 1; block < blocks; block += 1) {
      fixture.chain.mine();
      fixture.node.behaviour.interfere = (request) => (isByRange(request) ? NONE : undefined);
      await fixture.read();
    }
    fixture.node.behaviour.interfere = () => undefined;
    fixture.chain.mine();
    const snapshot = await fixture.read();
    expect(snapshot).toMatchObject({ kind: "partial" });
    expect(snapshot?.warning()).toBeUndefined();
    expectUpToDate(fixture);
  });

  it("by one URL on a chain that fills no blooms is found by the other one, with the next block", async () => {
    const chain = await ReaderFixture.startTwo({ fillsBloom: false }, { fillsBloom: false });
    await using fixture = await firstRead(chain, 5);
    fixture.chain.put(2, raise(3));
    fixture.node.behaviour.interfere = ({ method }) => (method === "eth_getLogs" ? NONE : undefined);
    await fixture.read();
    fixture.chain.mine();
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    expectUpToDate(fixture);
  });

  it("and is found later is part of a fork's abandoned changes", async () => {
    await using fixture = await readSale(5, { fillsBloom: false });
    fixture.chain.put(2, raise(3));
    forget(fixture.node, isByHash, 1);
    await fixture.read();
    fixture.chain.mine();
    await fixture.read();
    expectUpToDate(fixture);
    fixture.chain.drop(2);
    for (let block = 0; block < 2; block += 1) fixture.chain.mine({ rows: saleRows(5) });
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    expectUpToDate(fixture);
  });
});

describe("a log beside another of the same kind, anywhere in a long range", () => {
  it.each([5, 40])("of %i blocks is found with the next block, by one request", async (blocks) => {
    await using fixture = await readSale(5);
    fixture.chain.mine();
    await fixture.read();
    const rows = fixture.chain.head.state.rows.with(1, raise(2)).with(2, raise(3));
    fixture.chain.mine({ rows }, [rowLog(saleRow(2)), rowLog(saleRow(3))]);
    for (let block = 1; block < blocks; block += 1) fixture.chain.mine();
    fixture.node.behaviour.interfere = (request, honest) =>
      isByRange(request) && Array.isArray(honest) ? { kind: "result", result: honest.slice(0, 1) } : undefined;
    await fixture.read();
    expect(fixture.store.visible?.[2]).toMatchObject({ priceTicks: 7n });
    fixture.node.behaviour.interfere = () => undefined;
    fixture.chain.mine();
    const { overlap } = fixture.secondQuestions;
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    expectUpToDate(fixture);
    expect(fixture.secondQuestions.overlap - overlap).toBe(1);
  });

  it("is looked for in the last three blocks where a URL refuses a longer range", async () => {
    await using fixture = await readSale(5);
    for (let block = 0; block < 8; block += 1) fixture.chain.mine();
    await fixture.read();
    const asked: string[] = [];
    fixture.node.behaviour.interfere = (request) => {
      if (!isByRange(request)) return undefined;
      asked.push(JSON.stringify(request.params));
      return asked.length === 1 ? { kind: "error", code: -32_000, message: "block range is too wide" } : undefined;
    };
    fixture.chain.mine();
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    expect(asked).toEqual([expect.stringContaining('"0x2"'), expect.stringContaining('"0x7"')]);
  });
});

describe("a second URL that lags three blocks", () => {
  it("holds up no read of a long range, and makes none a sweep", async () => {
    await using fixture = await firstRead(await ReaderFixture.startTwo(), 5);
    lag(fixture, 3n);
    for (let read = 0; read < 3; read += 1) {
      fixture.chain.put(2, saleRow(3, { priceTicks: BigInt(100 + read) }));
      for (let block = 0; block < 40; block += 1) fixture.chain.mine();
      expect(await fixture.read()).toMatchObject({ kind: "partial" });
      expectUpToDate(fixture);
    }
  });
});

describe("a second question that isn't answered", () => {
  it("is waited for no longer than seconds, and the read goes on without it", async () => {
    await using fixture = await readSale(5);
    fixture.chain.mine();
    await fixture.read();
    // Any limit shorter than that of a request is over at once.
    const original = AbortSignal.timeout.bind(AbortSignal);
    const timeout = vi
      .spyOn(AbortSignal, "timeout")
      .mockImplementation((millis) => (millis < 5_000 ? AbortSignal.abort(new Error("over")) : original(millis)));
    fixture.chain.put(2, raise(3));
    fixture.node.behaviour.interfere = (request) => (isByRange(request) ? { kind: "silence" } : undefined);
    const read = await fixture.read().finally(() => timeout.mockRestore());
    expect(read).toMatchObject({ kind: "partial" });
    expectUpToDate(fixture);
  });
});

describe("a second URL that has another fork", () => {
  it("adds none of its blocks to a read", async () => {
    await using fixture = await firstRead(await ReaderFixture.startTwo(), 5);
    fixture.chain.mine();
    await fixture.read();
    const other = fixture.other as EvmNode;
    const blockNumber = `0x${fixture.chain.head.number.toString(16)}`;
    const log = {
      address: CONTRACT,
      topics: rowLog(saleRow(99)).topics,
      blockNumber,
      blockHash: `0x${"a".repeat(64)}`,
    };
    other.behaviour.interfere = (request) => (isByRange(request) ? { kind: "result", result: [log] } : undefined);
    fixture.chain.mine();
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    expectUpToDate(fixture);
    expect(other.requests.filter(isByRange)).toHaveLength(1);
  });
});

describe("a URL that never answers second questions", () => {
  it("rests after some reads, and makes none late", async () => {
    await using fixture = await firstRead(await ReaderFixture.startTwo(), 5);
    const other = fixture.other as EvmNode;
    using _silent = silenceLogs(other);
    const reads = 16;
    for (let read = 0; read < reads; read += 1) {
      fixture.clock.advance(3_000);
      fixture.chain.mine();
      expect(await fixture.read()).toMatchObject({ kind: "partial" });
      expectUpToDate(fixture);
    }
    expect(other.count("eth_getLogs")).toBeGreaterThan(0);
    expect(other.count("eth_getLogs")).toBeLessThan(10);
  });

  it("leaves them to the first one, which has the log that it left out", async () => {
    await using fixture = await firstRead(await ReaderFixture.startTwo(), 5);
    using _silent = silenceLogs(fixture.other as EvmNode);
    fixture.chain.put(2, raise(3));
    for (let block = 0; block < 2; block += 1) fixture.chain.mine();
    forget(fixture.node, isByRange, 1);
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    expectUpToDate(fixture);
  });

  it("isn't asked about a shorter range at once", async () => {
    await using fixture = await readSale(5);
    for (let block = 0; block < 8; block += 1) fixture.chain.mine();
    await fixture.read();
    fixture.node.requests.length = 0;
    using _silent = silenceLogs(fixture.node);
    fixture.chain.mine();
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    expect(fixture.node.requests.filter(isByRange)).toHaveLength(1);
  });
});

describe("a calm contract", () => {
  it("costs one request more for each block, for the overlap, and no row is read twice", async () => {
    await using fixture = await readSale(5);
    fixture.chain.put(2, raise(3));
    await fixture.read();
    for (let block = 0; block < 3; block += 1) {
      fixture.chain.mine();
      fixture.node.requests.length = 0;
      expect(await fixture.read()).toMatchObject({ kind: "partial" });
      const asked = fixture.node.requests.map(({ method, functionName }) => functionName ?? method);
      expect(asked.filter((name) => name === "eth_getLogs")).toHaveLength(2);
      expect(asked).not.toContain("readCommitmentDataIn");
      expect(asked).not.toContain("eth_getBlockReceipts");
    }
  });
});

describe("a contract that logs, beside a node that doesn't have its logs", () => {
  it("isn't accused after one sweep, nor once the logs are there", async () => {
    await using fixture = await readSale(5, { fillsBloom: false });
    fixture.node.behaviour.interfere = ({ method }) => (method === "eth_getLogs" ? NONE : undefined);
    fixture.chain.put(2, raise(3));
    await fixture.read();
    fixture.clock.advance(600_000);
    fixture.chain.mine();
    const first = await fixture.read();
    expect(first).toMatchObject({ kind: "sweep" });
    expect(first?.warning()).toBeUndefined();
    expectUpToDate(fixture);
    fixture.chain.mine();
    // The same at a second sweep.
    expect((await fixture.read())?.warning()).toContain("without a log");
    fixture.node.behaviour.interfere = () => undefined;
    fixture.chain.mine();
    const third = await fixture.read();
    expect(third).toMatchObject({ kind: "sweep" });
    expect(third?.warning()).toBeUndefined();
    fixture.chain.put(2, saleRow(3));
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    expectUpToDate(fixture);
  });

  it("is read by its logs, although the first answers about them were empty", async () => {
    await using fixture = await ReaderFixture.start({
      interfere: ({ method }) => (method === "eth_getLogs" ? NONE : undefined),
    });
    fixture.chain.put(0, saleRow(1));
    await fixture.read();
    fixture.node.behaviour.interfere = () => undefined;
    fixture.chain.put(1, saleRow(2));
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    expectUpToDate(fixture);
  });
});

describe("a contract that changes rows without logs", () => {
  it("is named at once if two URLs have none", async () => {
    await using fixture = await firstRead(await ReaderFixture.startTwo(), 5);
    fixture.chain.mine({ rows: fixture.chain.head.state.rows.with(1, raise(2)) });
    await fixture.read();
    fixture.clock.advance(600_000);
    fixture.chain.mine();
    expect((await fixture.read())?.warning()).toContain("without a log");
    expectUpToDate(fixture);
  });
});
