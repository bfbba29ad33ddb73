import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CONTRACT, type FakeBlock, type FakeEvmChain, logsBloomOf, TWIN } from "./evm-chain.ts";
import { answerSaleCall } from "./evm-sale-abi.ts";

export const CHAIN_ID = 31_337;
export { CONTRACT };

export interface RpcRequest {
  readonly method: string;
  readonly params: readonly unknown[];
  /** The contract's function, with `eth_call`. */
  readonly functionName?: string;
  /** Number of rows that `readCommitmentDataIn` is asked for. */
  readonly rows?: number;
  /** Whether it is a call without a sale contract or token: one of the node itself (a probe), or a call within a call. */
  readonly isControl?: boolean;
}

/** Misbehaviour of a node, instead of the honest answer. */
export type Interference =
  | {
      readonly kind: "status";
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: string;
    }
  | { readonly kind: "error"; readonly code: number; readonly message: string }
  | { readonly kind: "result"; readonly result: unknown }
  | { readonly kind: "truncated" }
  | { readonly kind: "silence" };

/** A token contract. */
export interface FakeToken {
  readonly decimals: number;
  readonly symbol: string;
}

export interface NodeBehaviour {
  /** Functions that the contract doesn't have. */
  absentFunctions: ReadonlySet<string>;
  /** Functions whose code halts, which the node says in words of its own: `halt`. */
  haltingFunctions: ReadonlySet<string>;
  halt: RpcError;
  /** Whether calls that name no contract are refused. */
  refusesDeployless: boolean;
  /** Whether calls are answered at the newest block, whichever is named. */
  ignoresBlock: boolean;
  /** Whether calls by block hash (EIP-1898) are refused, with `hashRefusal`. */
  byNumberOnly: boolean;
  hashRefusal: RpcError;
  /** Larger chunks run out of gas. */
  maxRows: number;
  hasLogs: boolean;
  /** Whether receipts of whole blocks are offered. */
  hasReceipts: boolean;
  /** Whether headers have a real bloom, or one of zeros. */
  fillsBloom: boolean;
  chainId: number;
  /** Answers of token contracts, by lower-case address. */
  tokens: ReadonlyMap<string, FakeToken>;
  /** Larger batches are refused as a whole. */
  largestBatch: number;
  /** Whether only every second call of a batch is answered. */
  answersEverySecond: boolean;
  /** @param honest the honest result. */
  interfere(request: RpcRequest, honest: unknown): Interference | undefined;
}

/** An error of JSON-RPC. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
}

class RpcFailure extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** A JSON-RPC node on loopback that serves a fake chain, and misbehaves on command. */
export class EvmNode implements AsyncDisposable {
  readonly chain: FakeEvmChain;
  readonly behaviour: NodeBehaviour;
  /** Every request so far. */
  readonly requests: (RpcRequest & { readonly headers: IncomingMessage["headers"] })[] = [];
  /** Number of HTTP requests so far, each for one request of JSON-RPC or a batch. */
  posts = 0;
  readonly #server: Server;

  private constructor(chain: FakeEvmChain, behaviour: Partial<NodeBehaviour>) {
    this.chain = chain;
    this.behaviour = {
      absentFunctions: new Set(),
      haltingFunctions: new Set(),
      // revm's words for an invalid opcode, by anvil.
      halt: { code: -32603, message: "EVM error InvalidFEOpcode" },
      refusesDeployless: false,
      ignoresBlock: false,
      byNumberOnly: false,
      hashRefusal: { code: -32602, message: "invalid argument 1" },
      maxRows: Number.POSITIVE_INFINITY,
      hasLogs: true,
      hasReceipts: true,
      fillsBloom: true,
      chainId: CHAIN_ID,
      tokens: new Map(),
      largestBatch: Number.POSITIVE_INFINITY,
      answersEverySecond: false,
      interfere: () => undefined,
      ...behaviour,
    };
    this.#server = createServer((request, response) => {
      // A client that leaves during its request gets no answer.
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  static async start(chain: FakeEvmChain, behaviour: Partial<NodeBehaviour> = {}): Promise<EvmNode> {
    const node = new EvmNode(chain, behaviour);
    node.#server.listen(0, "127.0.0.1");
    await once(node.#server, "listening");
    return node;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `http://${this.host}/secret-key`;
  }

  count(method: string): number {
    return this.requests.filter((request) => request.method === method).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    for await (const part of incoming) body += part;
    const asked = JSON.parse(body);
    this.posts += 1;
    const { largestBatch } = this.behaviour;
    if (Array.isArray(asked) && asked.length > largestBatch) {
      const error = { code: -32600, message: `batches of more than ${largestBatch} requests aren't served` };
      return send(response, undefined, [{ text: JSON.stringify({ jsonrpc: "2.0", id: null, error }) }]);
    }
    const answers = [asked].flat().map(({ id, method, params }) => {
      const { request, answer } = this.#answer(method, params);
      this.requests.push({ ...request, headers: incoming.headers });
      const instead = this.behaviour.interfere(request, answer["result"]);
      return { text: JSON.stringify({ jsonrpc: "2.0", id, ...answerInstead(answer, instead) }), instead };
    });
    const { answersEverySecond } = this.behaviour;
    const answered = answers.filter((_, index) => !answersEverySecond || index % 2 === 0);
    send(response, Array.isArray(asked) ? "batch" : undefined, answered);
  }

  #answer(method: string, params: readonly unknown[]) {
    let called: Pick<RpcRequest, "functionName" | "rows" | "isControl"> = {};
    const named = (functionName: string, rows: number) => {
      called = functionName === "readCommitmentDataIn" ? { functionName, rows } : { functionName };
    };
    if (method === "eth_call" && isControl(params[0] as EvmCall)) called = { isControl: true };
    let answer: Record<string, unknown>;
    try {
      answer = { result: this.#result(method, params, named) };
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
      answer = { error: { code: error.code, message: error.message } };
    }
    return { request: { method, params, ...called }, answer };
  }

  #result(method: string, params: readonly unknown[], named: (name: string, rows: number) => void): unknown {
    const [first, second] = params as [never, never];
    switch (method) {
      case "eth_chainId":
        return `0x${this.behaviour.chainId.toString(16)}`;
      case "eth_getBlockByNumber":
        return blockAnswer(this.#byName(first), this.behaviour.fillsBloom);
      case "eth_call":
        return this.#call(first, second, named);
      case "eth_getLogs":
        return this.#logs(first);
      case "eth_getBlockReceipts":
        return this.#receipts(first);
      case "eth_getCode":
        return first === CONTRACT ? "0x6080" : "0x";
      default:
        throw new RpcFailure(-32601, `the method ${method} does not exist`);
    }
  }

  #byName(name: string): FakeBlock | undefined {
    const { head } = this.chain;
    if (name === "latest") return head;
    if (name === "finalized") return this.chain.at(head.number > 2n ? head.number - 2n : 0n);
    return this.chain.at(BigInt(name));
  }

  #call(call: EvmCall, at: string | { blockHash: string }, named: (name: string, rows: number) => void): unknown {
    const block = this.behaviour.ignoresBlock ? this.chain.head : this.#pinned(at);
    if (call.to === undefined) return this.#deployless(call.data, block);
    if (call.to === IDENTITY) return call.data;
    return this.#callContract(call.to, call.data, block, named);
  }

  /** A call without a contract, whose data is code that creates one: the time of the block, or whether a call within it succeeds. */
  #deployless(code: string, block: FakeBlock): string {
    if (this.behaviour.refusesDeployless) throw new RpcFailure(-32602, "the field to is missing");
    if (code === TIME_CODE) return `0x${blockTime(block.number).toString(16).padStart(64, "0")}`;
    const [, asked] = CODE_SIZE.exec(code) ?? [];
    if (asked !== undefined) return `0x${(`0x${asked}` === CONTRACT ? "2" : "").padStart(64, "0")}`;
    const [, to, data] = INNER_CALL.exec(code) ?? [];
    if (to === undefined || data === undefined) throw new RpcFailure(-32015, "vm execution error");
    return `0x${(this.#succeeds(`0x${to}`, `0x${data}`, block) ? "1" : "").padStart(64, "0")}`;
  }

  #succeeds(to: string, data: `0x${string}`, block: FakeBlock): boolean {
    try {
      this.#callContract(to, data, block, () => undefined);
      return true;
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
      return false;
    }
  }

  #callContract(
    to: string,
    data: `0x${string}`,
    block: FakeBlock,
    named: (name: string, rows: number) => void,
  ): string {
    if (to !== CONTRACT && to !== TWIN) return tokenAnswer(this.behaviour.tokens.get(to), data);
    const { absentFunctions, haltingFunctions, halt } = this.behaviour;
    const answer = answerSaleCall(block.state, data);
    if (answer === undefined || absentFunctions.has(answer.name)) throw new RpcFailure(3, "execution reverted");
    const range = answer.name === "readCommitmentDataIn" ? data.slice(10).match(/.{64}/g) : null;
    const rows = range === null ? 0 : Number(BigInt(`0x${range[1]}`) - BigInt(`0x${range[0]}`));
    named(answer.name, rows);
    if (haltingFunctions.has(answer.name)) throw new RpcFailure(halt.code, halt.message);
    if (rows > this.behaviour.maxRows) throw new RpcFailure(-32000, "out of gas");
    return answer.result;
  }

  #pinned(at: string | { blockHash: string }): FakeBlock {
    const { byNumberOnly, hashRefusal } = this.behaviour;
    if (typeof at === "object" && byNumberOnly) throw new RpcFailure(hashRefusal.code, hashRefusal.message);
    const block = typeof at === "string" ? this.#byName(at) : this.chain.byHash(at.blockHash.slice(2));
    if (block === undefined) throw new RpcFailure(-32000, "header not found");
    if (!this.chain.isCanonical(block)) throw new RpcFailure(-32000, "hash is not currently canonical");
    return block;
  }

  #logs(filter: LogFilter) {
    if (!this.behaviour.hasLogs) throw new RpcFailure(-32601, "the method eth_getLogs does not exist");
    const [topics] = filter.topics ?? [];
    const addresses = [filter.address ?? []].flat().filter((address) => address === CONTRACT || address === TWIN);
    return this.#blocksOf(filter).flatMap(({ number, hash, logs }) => {
      const block = { blockNumber: `0x${number.toString(16)}`, blockHash: `0x${hash}` };
      return logs
        .filter((log) => topics === undefined || topics.includes(log.topics[0] ?? ""))
        .flatMap((log) => addresses.map((address) => ({ address, topics: log.topics, data: "0x", ...block })));
    });
  }

  #receipts(blockHash: string) {
    if (!this.behaviour.hasReceipts) throw new RpcFailure(-32601, "the method eth_getBlockReceipts does not exist");
    return [{ logs: [] }, { logs: this.#logs({ blockHash, address: [CONTRACT, TWIN] }) }];
  }

  #blocksOf({ blockHash, fromBlock, toBlock }: LogFilter) {
    if (blockHash !== undefined) return [this.#pinned({ blockHash })];
    const blocks: FakeBlock[] = [];
    for (let number = BigInt(fromBlock ?? 0); number <= BigInt(toBlock ?? 0); number += 1n) {
      const block = this.chain.at(number);
      if (block !== undefined) blocks.push(block);
    }
    return blocks;
  }
}

/** The precompiled contract that answers what it is asked (0x04). */
const IDENTITY = `0x${"4".padStart(40, "0")}`;
/** TIMESTAMP, and return it. */
const TIME_CODE = "0x4260005260206000f3";
/** EXTCODESIZE of an address, and return it. */
const CODE_SIZE = /^0x73([0-9a-f]{40})3b60005260206000f3$/;
/** Code that calls a contract with the data behind it, and returns whether that succeeded. */
const INNER_CALL =
  /^0x61[0-9a-f]{4}60326000396000600061[0-9a-f]{4}6000600073([0-9a-f]{40})5af160005260206000f3([0-9a-f]*)$/;

interface LogFilter {
  readonly address?: string | readonly string[];
  readonly blockHash?: string;
  readonly fromBlock?: string;
  readonly toBlock?: string;
  readonly topics?: readonly string[][];
}

interface EvmCall {
  readonly to?: string;
  readonly data: `0x${string}`;
}

function isControl({ to }: EvmCall): boolean {
  return to === undefined || to === IDENTITY;
}

/** The answer of a token to `decimals()` or `symbol()`; `0x` where there is no contract. */
function tokenAnswer(token: FakeToken | undefined, data: string): string {
  if (token === undefined) return "0x";
  const word = (value: number) => value.toString(16).padStart(64, "0");
  if (data === "0x313ce567") return `0x${word(token.decimals)}`;
  const symbol = Buffer.from(token.symbol).toString("hex");
  return `0x${word(32)}${word(token.symbol.length)}${symbol.padEnd(64, "0")}`;
}

/** Returns the time of a block, in seconds since 1970. */
export function blockTime(height: bigint): bigint {
  return 1_700_000_000n + 12n * height;
}

function blockAnswer(block: FakeBlock | undefined, fillsBloom: boolean) {
  if (block === undefined) return null;
  const [number, timestamp] = [block.number, blockTime(block.number)].map((value) => `0x${value.toString(16)}`);
  const logsBloom = logsBloomOf(fillsBloom ? block.logs : []);
  return { number, timestamp, hash: `0x${block.hash}`, parentHash: `0x${block.parentHash}`, logsBloom };
}

interface NodeAnswer {
  readonly text: string;
  readonly instead?: Interference | undefined;
}

function answerInstead(honest: Record<string, unknown>, instead: Interference | undefined): Record<string, unknown> {
  if (instead?.kind === "error") return { error: { code: instead.code, message: instead.message } };
  return instead?.kind === "result" ? { result: instead.result } : honest;
}

/** Sends the answers to one request, or to a batch, the whole of which an interference may spoil. */
function send(response: ServerResponse, batch: "batch" | undefined, answers: readonly NodeAnswer[]): void {
  const all = answers.flatMap(({ instead }) => instead ?? []);
  if (all.some(({ kind }) => kind === "silence")) return;
  for (const instead of all) {
    if (instead.kind !== "status") continue;
    response.writeHead(instead.status, instead.headers).end(instead.body ?? "");
    return;
  }
  const texts = answers.map((answer) => answer.text);
  const text = batch === undefined ? (texts[0] ?? "") : `[${texts}]`;
  response.writeHead(200, { "content-type": "application/json" });
  response.end(all.some(({ kind }) => kind === "truncated") ? text.slice(0, text.length / 2) : text);
}
