import { describe, expect, it } from "vitest";
import { FakeEvmChain, saleRows } from "../../../test/support/chains/evm-chain.ts";
import { CONTRACT, EvmNode, type Interference, type NodeBehaviour } from "../../../test/support/chains/evm-node.ts";
import { evmChain, ManualClock } from "../../../test/support/chains/evm-reader-fixture.ts";
import { loadSaleCalls } from "../../contracts/reference/evm/sale-calls.ts";
import { EvmEndpoint } from "./evm-endpoint.ts";
import { PinnedBlock } from "./pinned-block.ts";
import { readBlock } from "./read-block.ts";
import { RpcUrl } from "./rpc-url.ts";

const signal = new AbortController().signal;
/** Longer than any URL is believed. */
const LONG_MS = 3_600_000;

/** A node with a chain of some blocks, and the endpoint that asks it. */
class Probed implements AsyncDisposable {
  readonly chain: FakeEvmChain;
  readonly node: EvmNode;
  readonly clock = new ManualClock();
  readonly endpoint: EvmEndpoint;

  private constructor(chain: FakeEvmChain, node: EvmNode) {
    this.chain = chain;
    this.node = node;
    this.endpoint = new EvmEndpoint(evmChain([node.url]), this.clock);
  }

  static async start(behaviour: Partial<NodeBehaviour> = {}, blocks = 40): Promise<Probed> {
    const chain = new FakeEvmChain();
    for (let block = 0; block < blocks; block += 1) chain.mine();
    chain.mine({ rows: saleRows(3) });
    return new Probed(chain, await EvmNode.start(chain, behaviour));
  }

  head() {
    return readBlock(this.endpoint, "latest", signal);
  }

  /** Reads the number of rows at the head. @returns the blocks that calls of the contract named */
  async blocksNamed(): Promise<readonly unknown[]> {
    const asked = this.node.requests.length;
    const pinned = new PinnedBlock(this.endpoint, CONTRACT, this.chain.head);
    const { numCommitments } = await loadSaleCalls();
    await expect(pinned.call(numCommitments, signal)).resolves.toBe(3n);
    await pinned.verify(signal);
    const requests = this.node.requests.slice(asked);
    return requests.filter(({ functionName }) => functionName !== undefined).map(({ params }) => params[1]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.node[Symbol.asyncDispose]();
  }
}

const IGNORES_BLOCK = "so its answers may be about any block: set the URL of a node that keeps to the block";

/** Answers for calls that name a block's hash. */
function toHashes(interference: Interference, unless: (name: object) => boolean = () => false): Partial<NodeBehaviour> {
  return {
    interfere: ({ method, params: [, name] }) => {
      const isByHash = method === "eth_call" && typeof name === "object" && name !== null;
      return isByHash && !unless(name) ? interference : undefined;
    },
  };
}

describe("a URL's probe", () => {
  it("refuses a node that answers calls at the newest block, whichever is named", async () => {
    await using probed = await Probed.start({ ignoresBlock: true });
    const failure = probed.head();
    await expect(failure).rejects.toMatchObject({ kind: "wrong_url", remedy: "mend" });
    await expect(failure).rejects.toThrow("it answers a call at a block hash that doesn't exist");
    await expect(failure).rejects.toThrow(IGNORES_BLOCK);
  });

  it.each([
    ["number", "string"],
    ["hash", "object"],
  ])(
    "refuses a node that refuses unknown hashes, but answers at the newest block for one named by %s",
    async (_, type) => {
      await using probed = await Probed.start();
      const newest = `0x${(1_700_000_000n + 12n * 41n).toString(16).padStart(64, "0")}`;
      probed.node.behaviour.interfere = ({ isControl, params: [call, name] }, honest) => {
        const isTime = isControl && !("to" in (call as object)) && honest !== undefined;
        return isTime && typeof name === type ? { kind: "result", result: newest } : undefined;
      };
      await expect(probed.head()).rejects.toThrow(
        "it answers a call at block 9, of time 1700000108, with time 1700000492",
      );
      probed.node.behaviour.interfere = () => undefined;
      await expect(probed.head()).resolves.toMatchObject({ number: 41n });
    },
  );

  it("says which URLs failed it, and warns once", async () => {
    await using probed = await Probed.start({ ignoresBlock: true });
    await using fine = await EvmNode.start(probed.chain);
    const warnings: string[] = [];
    const { now, delay } = probed.clock;
    const options = { now, delay, warn: (text: string) => warnings.push(text) };
    const endpoint = new EvmEndpoint(evmChain([probed.node.url, fine.url]), options);
    for (let read = 0; read < 3; read += 1) {
      await readBlock(endpoint, "latest", signal);
      probed.clock.advance(60_000);
    }
    expect(probed.node.count("eth_chainId")).toBe(3);
    expect(warnings).toEqual([expect.stringContaining(IGNORES_BLOCK)]);
    expect(endpoint.problems()).toEqual([warnings[0], undefined]);
    probed.node.behaviour.ignoresBlock = false;
    await readBlock(endpoint, "latest", signal);
    expect(endpoint.problems()).toEqual([undefined, undefined]);
  });

  it("refuses a node of a chain that is shorter than the depth of the probe", async () => {
    await using probed = await Probed.start({ ignoresBlock: true, refusesDeployless: true }, 2);
    await expect(probed.head()).rejects.toThrow(IGNORES_BLOCK);
  });

  it.each<[string, Partial<NodeBehaviour>]>([
    ["has no old state", { interfere: ({ params }, honest) => (isOld(params, honest) ? noState : undefined) }],
    ["refuses calls without a contract", { refusesDeployless: true }],
    ["says no time of blocks", { interfere: ({ method }, honest) => (isBlock(method) ? timeless(honest) : undefined) }],
  ])("doesn't hold it against a node that it %s", async (_, behaviour) => {
    await using probed = await Probed.start(behaviour);
    expect(await probed.blocksNamed()).toEqual([{ blockHash: `0x${probed.chain.head.hash}`, requireCanonical: true }]);
  });

  it.each([
    [-32602, "invalid argument 1"],
    [-32700, "parse error"],
    [-32000, "cannot unmarshal object into Go value of type string"],
    [-32603, "internal error"],
    [-32601, "not implemented"],
  ])("has calls name the number where hashes are refused with error %i", async (code, message) => {
    await using probed = await Probed.start({ byNumberOnly: true, hashRefusal: { code, message } });
    expect(await probed.blocksNamed()).toEqual(["0x29"]);
    expect(await probed.blocksNamed()).toEqual(["0x29"]);
  });

  it.each<[string, unknown]>([
    ["0x", "0x"],
    ["null", null],
  ])("has calls name the number where hashes are answered with %s", async (_, result) => {
    await using probed = await Probed.start(toHashes({ kind: "result", result }));
    expect(await probed.blocksNamed()).toEqual(["0x29"]);
  });

  it("has calls name the hash alone where requireCanonical is refused", async () => {
    const refusal: Interference = { kind: "error", code: -32602, message: "unknown field" };
    await using probed = await Probed.start();
    probed.node.behaviour.interfere = ({ params: [, name] }) =>
      typeof name === "object" && name !== null && "requireCanonical" in name ? refusal : undefined;
    expect(await probed.blocksNamed()).toEqual([{ blockHash: `0x${probed.chain.head.hash}` }]);
    expect(probed.node.requests.at(-1)?.method).toBe("eth_getBlockByNumber");
  });

  it("is repeated from time to time, and then sees another chain", async () => {
    await using probed = await Probed.start();
    await probed.head();
    await probed.head();
    expect(probed.node.count("eth_chainId")).toBe(1);
    probed.clock.advance(LONG_MS);
    probed.node.behaviour.chainId = 1;
    await expect(probed.head()).rejects.toThrow("its chain ID is 1, not 31337");
  });

  it("leaves the URL in use where it isn't answered, and is made again soon", async () => {
    await using probed = await Probed.start();
    await probed.head();
    probed.clock.advance(LONG_MS);
    probed.node.behaviour.interfere = ({ method }) =>
      method === "eth_call" ? { kind: "status", status: 429, headers: { "retry-after": "600" } } : undefined;
    await probed.head();
    probed.node.behaviour.interfere = () => undefined;
    probed.node.behaviour.chainId = 1;
    probed.clock.advance(60_000);
    await expect(probed.head()).rejects.toThrow("its chain ID is 1, not 31337");
  });

  it.each<[string, Interference, number]>([
    ["is repeated after a lost node", { kind: "status", status: 502 }, 2],
    ["isn't repeated after a request that fails", { kind: "error", code: -32603, message: "internal error" }, 1],
  ])("%s", async (_, interference, probes) => {
    await using probed = await Probed.start();
    await probed.head();
    let isFirst = true;
    probed.node.behaviour.interfere = () => {
      const isLost = isFirst;
      isFirst = false;
      return isLost ? interference : undefined;
    };
    await probed.head();
    expect(probed.node.count("eth_chainId")).toBe(probes);
  });

  it("is shared by callers, and begun anew if the first one leaves", async () => {
    await using probed = await Probed.start();
    const leaving = new AbortController();
    const first = readBlock(probed.endpoint, "latest", leaving.signal);
    const second = probed.head();
    leaving.abort(new Error("left"));
    await expect(first).rejects.toThrow("left");
    await expect(second).resolves.toMatchObject({ number: 41n });
  });
});

const noState: Interference = { kind: "error", code: -32000, message: "missing trie node" };

/** Whether a call is at a block before the head. */
function isOld([, name]: readonly unknown[], honest: unknown): boolean {
  return honest !== undefined && typeof name === "string" && name !== "latest" && name !== "0x29" && name.length < 10;
}

function isBlock(method: string): boolean {
  return method === "eth_getBlockByNumber";
}

function timeless(honest: unknown): Interference {
  const { timestamp: _, ...block } = honest as Record<string, unknown>;
  return { kind: "result", result: block };
}

describe("a probe that doesn't end", () => {
  it.each(["eth_chainId", "eth_getBlockByNumber", "eth_call"])(
    "for the want of an answer to %s is over at its own limit",
    async (method) => {
      await using probed = await Probed.start({
        interfere: (request) => (request.method === method ? { kind: "silence" } : undefined),
      });
      const limits = { maxConcurrency: 4, requestTimeoutMs: 600_000, probeTimeoutMs: 100 };
      const url = new RpcUrl(probed.node.url, { ...limits, chainId: evmChain([]).chainId }, () => 0);
      const callers = [url.abilities(signal), url.abilities(signal)];
      for (const caller of callers) {
        await expect(caller).rejects.toMatchObject({
          kind: "timeout",
          message: `${url.host}: it hasn't answered the questions of its probe within 100 ms`,
        });
      }
    },
  );
});
