import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { decodeFunctionResult, encodeFunctionResult, type Hex, toFunctionSelector } from "viem";
import type { Random } from "../../../services/demo/bidders/random.ts";
import { auctionSale } from "../../contracts/artefacts/auction-sale.ts";
import { freePort } from "../processes/free-port.ts";

const READ_ROWS = toFunctionSelector("readCommitmentDataIn(uint256,uint256)");
const LOG_METHODS: ReadonlySet<string> = new Set(["eth_getLogs", "eth_getBlockReceipts"]);
/**
 * Answers about logs after one that leaves some out, which don't: as many as the reader's questions about the same blocks. With a node
 * that hides the same logs each time, figures are late only where a second URL has them.
 */
const HONEST_LOG_ANSWERS = 8;
/** Largest lag of a stale height. */
export const STALE_BLOCKS = 6;

export interface RpcCall {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

interface Truth {
  readonly jsonrpc: string;
  readonly id: unknown;
  readonly result?: unknown;
}

interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Answer that a client gets to one call, which may be a part of a batch. Without an answer, it waits. */
class Reply {
  given: HttpAnswer | "closed" | undefined;

  answer(given: HttpAnswer | "closed"): true {
    this.given = given;
    return true;
  }
}

/** The request and the true answer that a lie replaces. */
interface LieContext {
  readonly call: RpcCall;
  readonly truth: Truth;
  readonly random: Random;
  readonly response: Reply;
  /** Sends another request to the node. */
  ask(method: string, params: readonly unknown[]): Promise<unknown>;
}

/** Sends a lie, if one is possible. @returns whether it did. */
type Lie = (context: LieContext) => boolean | Promise<boolean>;

/** Failures of real nodes, by name. */
export const LIES = {
  silence: () => true,
  "HTTP 429 with Retry-After": ({ response }) => sendStatus(response, 429, { "retry-after": "0" }),
  "HTTP 429": ({ response }) => sendStatus(response, 429),
  "HTTP 500": ({ response }) => sendStatus(response, 500),
  "truncated JSON": ({ response, truth }) => {
    const whole = JSON.stringify(truth);
    return send(response, whole.slice(0, Math.floor(whole.length / 2)));
  },
  "connection closed": ({ response }) => response.answer("closed"),
  "no logs": (context) => sendFewerLogs(context, () => false),
  "fewer logs": (context) => sendFewerLogs(context, ({ topics }, last) => topics[0] !== last.topics[0]),
  "empty result": (context) => sendResult(context, "0x"),
  null: (context) => sendResult(context, null),
  "short array": (context) => sendShortRows(context),
  "stale height": (context) => sendOlderBlock(context),
  "wrong hash": (context) => sendWrongHash(context),
  "header not found": (context) => sendError(context, -32_000, "header not found"),
  "missing trie node": (context) => sendError(context, -32_000, "missing trie node (path )"),
  "out of gas": (context) => sendError(context, -32_000, "out of gas"),
  "limit exceeded": (context) => sendError(context, -32_005, "limit exceeded"),
  "internal error": (context) => sendError(context, -32_603, "internal error"),
} as const satisfies Readonly<Record<string, Lie>>;

export type LieName = keyof typeof LIES;

const LIE_NAMES = Object.keys(LIES) as LieName[];

export interface LyingProxyOptions {
  /** URL of the node. */
  readonly target: string;
  readonly random: Random;
  /** A free one by default. */
  readonly port?: number;
  /** Changes a request before the node gets it. */
  readonly change?: (call: RpcCall) => RpcCall;
}

/** A proxy in front of an Ethereum node that sometimes lies, decided by a random generator. */
export class LyingProxy implements AsyncDisposable {
  readonly url: string;
  /** URL of the node. Another one serves what is asked from then on, on the same connections. */
  target: string;
  /** Share of requests that get a lie: 0 to 1. */
  rate = 0;
  /** Number of lies by name. */
  readonly lieCounts = new Map<LieName, number>();
  readonly #options: LyingProxyOptions;
  readonly #server: Server;
  #honestLogAnswers = 0;

  private constructor(options: LyingProxyOptions, server: Server, port: number) {
    this.#options = options;
    this.target = options.target;
    this.#server = server;
    this.url = `http://127.0.0.1:${port}`;
    server.on("request", (request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  /** Starts a proxy that doesn't lie yet. */
  static async start(options: LyingProxyOptions): Promise<LyingProxy> {
    const port = options.port ?? (await freePort());
    const server = createServer();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
    await promise;
    return new LyingProxy(options, server, port);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    this.#server.closeAllConnections();
    await promise;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = JSON.parse(await text(request)) as RpcCall | readonly RpcCall[];
    const replies: Reply[] = [];
    for (const call of [asked].flat()) replies.push(await this.#reply(call));
    const given = replies.flatMap((reply) => reply.given ?? []);
    if (given.includes("closed")) return void response.destroy();
    if (given.length < replies.length) return;
    const answers = given as readonly HttpAnswer[];
    const [first = { status: 500, headers: {}, body: "" }] = [
      ...answers.filter(({ status }) => status !== 200),
      ...answers,
    ];
    const bodies = answers.map(({ body }) => body);
    const isBatch = Array.isArray(asked) && first.status === 200;
    response.writeHead(first.status, first.headers).end(isBatch ? `[${bodies}]` : first.body);
  }

  async #reply(call: RpcCall): Promise<Reply> {
    const { random, change = (same: RpcCall) => same } = this.#options;
    const reply = new Reply();
    const truth = await this.#exchange(change(call));
    const lie = random.next() < this.rate ? random.pick(LIE_NAMES) : undefined;
    if (LOG_METHODS.has(call.method)) this.#honestLogAnswers -= 1;
    const isLeftOut = lie?.endsWith(" logs") && this.#honestLogAnswers > 0;
    if (lie?.endsWith(" logs") && !isLeftOut) this.#honestLogAnswers = HONEST_LOG_ANSWERS;
    const hasLied = lie !== undefined && !isLeftOut && (await this.#lies(lie, call, truth, reply));
    if (!hasLied) send(reply, JSON.stringify(truth));
    return reply;
  }

  async #lies(name: LieName, call: RpcCall, truth: Truth, response: Reply): Promise<boolean> {
    const ask = async (method: string, params: readonly unknown[]) =>
      (await this.#exchange({ id: 1, method, params })).result;
    const lie: Lie = LIES[name];
    const hasLied = await lie({ call, truth, random: this.#options.random, response, ask });
    if (hasLied) this.lieCounts.set(name, (this.lieCounts.get(name) ?? 0) + 1);
    return hasLied;
  }

  async #exchange(call: RpcCall): Promise<Truth> {
    const answer = await fetch(this.target, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", ...call }),
    });
    return (await answer.json()) as Truth;
  }
}

function send(response: Reply, body: string): boolean {
  return response.answer({ status: 200, headers: { "content-type": "application/json" }, body });
}

function sendStatus(response: Reply, status: number, headers: Readonly<Record<string, string>> = {}): boolean {
  return response.answer({ status, headers, body: "no JSON at all" });
}

function sendResult({ response, truth: { jsonrpc, id } }: LieContext, result: unknown): boolean {
  return send(response, JSON.stringify({ jsonrpc, id, result }));
}

function sendError({ response, truth: { jsonrpc, id } }: LieContext, code: number, message: string): boolean {
  return send(response, JSON.stringify({ jsonrpc, id, error: { code, message } }));
}

/** A valid encoding without the last row. */
function sendShortRows(context: LieContext): boolean {
  const { call, truth } = context;
  const [transaction] = call.params as readonly { readonly data?: string }[];
  const isRead = call.method === "eth_call" && transaction?.data?.startsWith(READ_ROWS);
  if (!isRead || typeof truth.result !== "string") return false;
  const functionName = "readCommitmentDataIn";
  const rows = decodeFunctionResult({ abi: auctionSale.abi, functionName, data: truth.result as Hex });
  const result = encodeFunctionResult({ abi: auctionSale.abi, functionName, result: rows.slice(0, -1) });
  return rows.length > 0 && sendResult(context, result);
}

interface NodeLog {
  readonly topics: readonly string[];
}

/** Logs without some of them, like those of a node that has a block's logs later than its state. */
function sendFewerLogs(context: LieContext, isKept: (log: NodeLog, last: NodeLog) => boolean): boolean {
  const { call, truth } = context;
  const logs = truth.result as readonly NodeLog[] | undefined;
  const last = call.method === "eth_getLogs" ? logs?.at(-1) : undefined;
  if (logs === undefined || last === undefined) return false;
  return sendResult(
    context,
    logs.filter((log) => isKept(log, last)),
  );
}

/** An older block, like that of a node that lags. */
async function sendOlderBlock(context: LieContext): Promise<boolean> {
  const { call, truth, random, ask } = context;
  if (call.method !== "eth_getBlockByNumber" || call.params[0] !== "latest") return false;
  const { number } = truth.result as { readonly number: string };
  const older = Math.max(0, Number(number) - random.integer(1, STALE_BLOCKS));
  return sendResult(context, await ask(call.method, [`0x${older.toString(16)}`, false]));
}

function sendWrongHash(context: LieContext): boolean {
  const { call, truth, random } = context;
  if (call.method !== "eth_getBlockByNumber" || truth.result === null) return false;
  const digits = random.integer(0, 2 ** 31 - 1).toString(16);
  return sendResult(context, { ...(truth.result as object), hash: `0x${digits.padStart(64, "e")}` });
}
