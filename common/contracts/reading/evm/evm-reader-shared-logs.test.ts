import { describe, expect, it } from "vitest";
import { rowLog, saleRow, saleRows, TWIN } from "../../../../test/support/chains/evm-chain.ts";
import type { Interference, NodeBehaviour, RpcRequest } from "../../../../test/support/chains/evm-node.ts";
import { expectUpToDate, ReaderFixture, raised } from "../../../../test/support/chains/evm-reader-fixture.ts";
import { quantity } from "../../../chains/evm/block.ts";

interface Log {
  readonly address: string;
}

/** Whether a request is about the logs of several contracts. */
const isShared = ({ method, params: [filter] }: RpcRequest) =>
  method === "eth_getLogs" && Array.isArray((filter as { readonly address?: unknown } | undefined)?.address);

/** Whether a request is about the logs of a range of blocks. */
const isOfRange = ({ method, params: [filter] }: RpcRequest) =>
  method === "eth_getLogs" && (filter as { readonly fromBlock?: unknown } | undefined)?.fromBlock !== undefined;

/** A sale of five rows and its twin, which both were read and are known to log. */
async function startPair(behaviour: Partial<NodeBehaviour> = {}) {
  const fixture = await ReaderFixture.start(behaviour);
  const pair = [fixture, fixture.twin()] as const;
  const rows = saleRows(5);
  fixture.chain.mine(
    { rows },
    rows.map((row) => rowLog(row)),
  );
  for (const each of pair) await each.read();
  // Each reader has asked for logs of its own; from now on both are followed.
  for (let block = 0; block < 2; block++) {
    fixture.chain.mine();
    for (const each of pair) await each.read();
  }
  return { fixture, pair, [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose]() };
}

/** Reads until the store is at the head: answers that come late are read again. */
async function readToHead(fixture: ReaderFixture): Promise<void> {
  for (let read = 0; read < 4 && fixture.store.position?.hash !== fixture.chain.head.hash; read++) await fixture.read();
  expectUpToDate(fixture);
}

describe("the logs of several contracts", () => {
  it("are one question for each, of the block and of those before it", async () => {
    await using world = await startPair();
    const { fixture, pair } = world;
    const before = fixture.node.requests.length;
    fixture.chain.put(1, raised(saleRow(2), 5n));
    for (const each of pair) await readToHead(each);
    const asked = fixture.node.requests.slice(before).filter(({ method }) => method === "eth_getLogs");
    expect(asked.map(isShared)).toEqual([true, true]);
  });

  it("are asked for by each of two that read at the same block for the first time in a while", async () => {
    // Nothing else says then that logs are missing.
    await using world = await startPair({ fillsBloom: false });
    const { fixture, pair } = world;
    const [first, second] = pair;
    fixture.chain.mine();
    const price = 99n;
    fixture.chain.put(1, saleRow(2, { priceTicks: price }));
    const head = quantity(fixture.chain.mine().number);
    // Some answers come from a machine behind the URL that lacks the newest blocks, until it has caught up.
    fixture.node.behaviour.interfere = (request) => {
      if (isOfRange(request)) return { kind: "result", result: [] };
      const isOfHead = request.method === "eth_getBlockByNumber" && request.params[0] === head;
      return isOfHead ? { kind: "result", result: null } : undefined;
    };
    await first.read();
    expect(first.store.position?.hash).not.toBe(fixture.chain.head.hash);
    fixture.node.behaviour.interfere = () => undefined;
    await second.read();
    expectUpToDate(second);
    expect(second.store.visible[1]?.priceTicks).toBe(price);
  });

  it.each([true, false])("are those of the chain after a re-organisation, with blooms: %s", async (fillsBloom) => {
    await using world = await startPair({ fillsBloom });
    const { fixture, pair } = world;
    const [first, second] = pair;
    for (let block = 0; block < 4; block++) fixture.chain.mine();
    await first.read();
    // As many blocks, so that the other one asks about the same range.
    fixture.chain.drop(4);
    fixture.chain.mine();
    fixture.chain.put(1, saleRow(2, { priceTicks: 99n }));
    for (let block = 0; block < 2; block++) fixture.chain.mine();
    await readToHead(second);
  });

  it.each<[string, (request: RpcRequest, honest: unknown) => Interference | undefined]>([
    [
      "leaves out those of one",
      (_, honest) => ({ kind: "result", result: (honest as Log[]).filter(({ address }) => address !== TWIN) }),
    ],
    ["leaves out all", () => ({ kind: "result", result: [] })],
    [
      "has something in one's that is no log",
      (_, honest) => ({ kind: "result", result: [...(honest as Log[]), { address: TWIN, topics: 7 }] }),
    ],
    [
      "has something of another contract",
      (_, honest) => ({ kind: "result", result: [...(honest as Log[]), { address: `0x${"9".repeat(40)}` }] }),
    ],
    ["has something of nobody", (_, honest) => ({ kind: "result", result: [null, ...(honest as Log[])] })],
    ["isn't a list", () => ({ kind: "result", result: "0x" })],
    ["is a refusal of many addresses", () => ({ kind: "error", code: -32602, message: "too many addresses" })],
    ["is too large", () => ({ kind: "error", code: -32005, message: "query returned more than 10000 results" })],
    [
      "is a failure in words of the node's own",
      () => ({ kind: "error", code: -32000, message: "exceed max addresses" }),
    ],
  ])("are exact for both where the answer about several %s", async (_, lie) => {
    await using world = await startPair();
    const { fixture, pair } = world;
    fixture.node.behaviour.interfere = (request, honest) => (isShared(request) ? lie(request, honest) : undefined);
    for (let block = 1; block <= 6; block++) {
      // Prices are in no total: only the log shows the change.
      const row = saleRow((block % 5) + 1, { priceTicks: BigInt(100 + block) });
      fixture.chain.put(block % 5, row);
      for (const each of pair) await readToHead(each);
    }
  });

  it("are asked for in single questions, and not refused for good, once a node refuses several addresses", async () => {
    await using world = await startPair();
    const { fixture, pair } = world;
    fixture.node.behaviour.interfere = (request) =>
      isShared(request) ? { kind: "error", code: -32602, message: "expected one address" } : undefined;
    for (let block = 1; block <= 8; block++) {
      fixture.chain.put(block % 5, raised(saleRow((block % 5) + 1), BigInt(block)));
      for (const each of pair) await readToHead(each);
    }
    const shared = fixture.node.requests.filter(isShared).length;
    expect(fixture.endpoint.refusedMethods()).toEqual([[]]);
    fixture.chain.put(0, raised(saleRow(1), 77n));
    for (const each of pair) await readToHead(each);
    expect(fixture.node.requests.filter(isShared).length).toBe(shared);
  });

  it("are exact for both across re-organisations, whatever a node does to answers about several", async () => {
    await using world = await startPair();
    const { fixture, pair } = world;
    let step = 0;
    fixture.node.behaviour.interfere = (request, honest) => {
      if (!isShared(request)) return undefined;
      step += 1;
      if (step % 3 === 0)
        return { kind: "result", result: (honest as Log[]).filter(({ address }) => address === TWIN) };
      return step % 5 === 0 ? { kind: "error", code: -32000, message: "busy" } : undefined;
    };
    for (let block = 1; block <= 12; block++) {
      if (block % 4 === 0) {
        fixture.chain.drop(2);
        for (let again = 0; again < 2; again++) fixture.chain.mine();
      }
      const { rows } = fixture.chain.head.state;
      const row = rows[block % rows.length] ?? saleRow(1);
      fixture.chain.put(block % rows.length, { ...row, priceTicks: BigInt(500 + block) });
      // The second one misses blocks now and then, and asks about a range.
      for (const [index, each] of pair.entries()) if (index === 0 || block % 3 !== 1) await readToHead(each);
    }
    fixture.chain.mine();
    for (const each of pair) await readToHead(each);
  });
});
