import { describe, expect, it } from "vitest";
import type { Answer, AskOptions, EvmEndpoint } from "./evm-endpoint.ts";
import { RpcFault } from "./rpc-fault.ts";
import { SharedLogs } from "./shared-logs.ts";

const { signal } = new AbortController();
const BLOCK = { blockHash: "0x01" };
const OTHER_BLOCK = { blockHash: "0x02" };

type Node = (addresses: readonly string[]) => unknown;

/** A node that answers about addresses, the lists of addresses that it was asked about, and a clock that moves by hand. */
function world(node: Node = (addresses) => addresses.map((address) => ({ address }))) {
  const asked: string[][] = [];
  const options: AskOptions[] = [];
  const clock = { millis: 0 };
  /** Methods that may not be asked for now, by the names under which their refusals are counted. */
  const blocked = new Set<string>();
  const ways = { node };
  const answer = async (
    _: string,
    [filter]: readonly [{ readonly address: string | string[] }],
    __: unknown,
    how: AskOptions,
  ) => {
    const addresses = [filter.address].flat();
    asked.push(addresses);
    options.push(how);
    return { result: ways.node(addresses) } as Answer;
  };
  const isBlocked = (method: string) => blocked.has(method);
  const endpoint = { urls: [], answer, isBlocked } as unknown as EvmEndpoint;
  const logs = new SharedLogs({ endpoint, pollIntervalMs: 1_000, now: () => clock.millis });
  const ask = async (contract: string, filter: object = BLOCK, head = "head") =>
    (await logs.answer(contract, filter as typeof BLOCK, head, signal, { heavy: true })).result;
  /** Makes contracts known, each by a question of its own. */
  const follow = async (...contracts: readonly string[]) => {
    for (const contract of contracts) await ask(contract, { blockHash: `0x0${contract}` });
    asked.length = 0;
  };
  return { asked, options, clock, ways, blocked, ask, follow };
}

const tooLarge: Node = () => {
  throw new RpcFault("too_large", "scripted");
};

describe("logs that are asked for together", () => {
  it("are one request for all contracts, whose parts wait for those who come later", async () => {
    const { asked, options, ask, follow } = world();
    await follow("a", "b", "c");
    expect(await ask("b")).toEqual([{ address: "b" }]);
    expect(await Promise.all([ask("c"), ask("a")])).toEqual([[{ address: "c" }], [{ address: "a" }]]);
    expect(asked).toEqual([["b", "a", "c"]]);
    expect(options.at(-1)).toMatchObject({ heavy: true, small: false, countedAs: "eth_getLogs of many contracts" });
  });

  it("are another request for other blocks", async () => {
    const { asked, ask, follow } = world();
    await follow("a", "b");
    await Promise.all([ask("a"), ask("a", OTHER_BLOCK)]);
    expect(asked).toEqual([
      ["a", "b"],
      ["a", "b"],
    ]);
  });

  it("are asked for anew, of all, at the next block that is read", async () => {
    const { asked, ask, follow } = world();
    await follow("a", "b");
    for (const head of ["one", "two"]) await Promise.all([ask("a", BLOCK, head), ask("b", BLOCK, head)]);
    expect(asked).toEqual([
      ["a", "b"],
      ["a", "b"],
    ]);
  });

  it("are asked for alone by a contract that has had its part, and anew once the answer is old", async () => {
    const { asked, clock, ask, follow } = world();
    await follow("a", "b");
    await ask("a");
    await ask("a");
    expect(asked).toEqual([["a", "b"], ["a"]]);
    clock.millis += 10_000;
    await ask("b");
    expect(asked.at(-1)).toEqual(["b", "a"]);
  });

  it("leave out a contract that nobody has asked for lately", async () => {
    const { asked, clock, ask, follow } = world();
    await follow("a", "b");
    clock.millis += 60_001;
    await follow("c");
    await ask("a");
    expect(asked).toEqual([["a", "c"]]);
  });

  it("come from a request for each 500 contracts", async () => {
    const { asked, ask, follow } = world();
    const contracts = Array.from({ length: 750 }, (_, index) => `${index}`);
    await follow(...contracts);
    await Promise.all(contracts.map((contract) => ask(contract)));
    expect(asked.map(({ length }) => length)).toEqual([500, 250]);
  });

  it("are asked for alone, and later of fewer, where a node refuses many that it answers alone", async () => {
    const { asked, clock, ways, ask, follow } = world();
    const contracts = ["a", "b", "c", "d", "e", "f", "g", "h"];
    await follow(...contracts);
    ways.node = (addresses) => (addresses.length > 2 ? tooLarge(addresses) : addresses.map((address) => ({ address })));
    expect(await ask("a")).toEqual([{ address: "a" }]);
    expect(asked.map(({ length }) => length)).toEqual([8, 1]);
    asked.length = 0;
    await Promise.all(contracts.map((contract) => ask(contract, OTHER_BLOCK)));
    expect(asked.map(({ length }) => length)).toEqual([2, 2, 2, 2]);
    clock.millis += 10 * 60_000;
    ways.node = (addresses) => addresses.map((address) => ({ address }));
    await follow(...contracts);
    await ask("a");
    expect(asked[0]).toHaveLength(8);
  });

  it("are asked for apart of a contract that has too many", async () => {
    const { asked, ways, ask, follow } = world();
    await follow("a", "b", "c");
    ways.node = (addresses) =>
      addresses.includes("b") ? tooLarge(addresses) : addresses.map((address) => ({ address }));
    await expect(ask("b")).rejects.toThrow("scripted");
    asked.length = 0;
    expect(await ask("a", OTHER_BLOCK)).toEqual([{ address: "a" }]);
    expect(asked).toEqual([["a", "c"]]);
  });

  const limited =
    (most: number, kind: "rate_limited" | "unauthorised"): Node =>
    (addresses) => {
      if (addresses.length > most) throw new RpcFault(kind, "scripted");
      return addresses.map((address) => ({ address }));
    };

  it.each(["rate_limited", "unauthorised"] as const)(
    "fail together with a node's fault, after one contract has failed alone: %s",
    async (kind) => {
      const { asked, ways, ask, follow } = world();
      await follow("a", "b", "c");
      ways.node = limited(0, kind);
      const results = await Promise.allSettled([ask("a"), ask("b"), ask("c")]);
      expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
      expect(asked).toEqual([["a", "b", "c"], ["a"]]);
    },
  );

  it.each(["rate_limited", "unauthorised"] as const)(
    "are asked for of fewer where a node calls many of them %s, and answers one",
    async (kind) => {
      const { asked, ways, ask, follow } = world();
      const contracts = ["a", "b", "c", "d", "e", "f", "g", "h"];
      await follow(...contracts);
      ways.node = limited(2, kind);
      const results = await Promise.allSettled(contracts.map((contract) => ask(contract)));
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      expect(asked.map(({ length }) => length)).toEqual([8, 1]);
      asked.length = 0;
      await Promise.all(contracts.map((contract) => ask(contract, OTHER_BLOCK)));
      expect(asked.map(({ length }) => length)).toEqual([2, 2, 2, 2]);
    },
  );

  it.each(["eth_getLogs", "eth_getLogs of many contracts"])(
    "fail without further questions while the node is waited for with %s",
    async (method) => {
      const { asked, ways, blocked, ask, follow } = world();
      await follow("a", "b");
      blocked.add(method);
      ways.node = limited(1, "rate_limited");
      const results = await Promise.allSettled([ask("a"), ask("b")]);
      expect([results.map(({ status }) => status), asked]).toEqual([["rejected", "rejected"], [["a", "b"]]]);
    },
  );

  it.each([[["x"]], [[null]], [[{ address: "z" }]], ["0x"]])(
    "are asked for alone where the answer is %j",
    async (result) => {
      const { asked, ways, ask, follow } = world();
      await follow("a", "b");
      ways.node = (addresses) => (addresses.length > 1 ? result : addresses.map((address) => ({ address })));
      expect(await Promise.all([ask("a"), ask("b")])).toEqual([[{ address: "a" }], [{ address: "b" }]]);
      expect(asked).toEqual([["a", "b"], ["a"], ["b"]]);
    },
  );
});
