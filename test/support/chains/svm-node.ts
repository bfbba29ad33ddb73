import { Buffer } from "node:buffer";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { base58 } from "@scure/base";
import { type SvmSaleState, saleAccounts, svmAddress, svmSaleAddress } from "./svm-sale.ts";

/** Faults of a node's answer. */
export const SVM_FAULTS = [
  "http_500",
  "http_429",
  "cut_json",
  "no_json",
  "json_rpc_error",
  "behind",
  "unhealthy",
  "rate_limited",
  "null_result",
  "stale",
  "no_context",
  "short_data",
  "wrong_discriminator",
  "missing_account",
  "foreign_owner",
  "torn_list",
  "empty_list",
] as const;
export type SvmFault =
  | (typeof SVM_FAULTS)[number]
  | ("http_401" | "http_410" | "http_413" | "hang" | "endless" | "invalid_params" | "account_bound");

const SYSTEM_PROGRAM = "11111111111111111111111111111111";
const CLOCK = "SysvarC1ock11111111111111111111111111111111";

/** Returns the cluster's time at a slot, in seconds since 1970. */
export function slotTime(slot: bigint): bigint {
  return 1_700_000_000n + slot;
}

/** Makes the account in which a cluster keeps its clock, in the layout of `solana_program::clock::Clock`. */
function clockAccount(slot: number) {
  const data = Buffer.alloc(40);
  data.writeBigUInt64LE(BigInt(slot), 0);
  data.writeBigInt64LE(slotTime(BigInt(slot)), 32);
  const owner = "Sysvar1111111111111111111111111111111111111";
  return { lamports: 1, owner, data: [data.toString("base64"), "base64"], executable: false, rentEpoch: 0, space: 40 };
}

interface RpcRequest {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

interface ReadConfig {
  readonly minContextSlot?: number;
  readonly dataSlice?: { readonly offset: number; readonly length: number };
  readonly filters?: readonly { readonly memcmp: { readonly offset: number; readonly bytes: string } }[];
}

/** A JSON-RPC node on loopback that serves one sale of the reference program. */
export class SvmNode {
  readonly program = svmAddress("program");
  readonly saleAccount: string;
  genesisHash = svmAddress("genesis");
  /** Whether the node keeps the account with the cluster's clock. */
  hasClock = true;
  /** Addresses of accounts that its lists lack, as with a node whose index is incomplete. */
  unlisted: ReadonlySet<string> = new Set();
  /** Addresses that have an account of the system program, as anybody's money makes it. */
  funded: ReadonlySet<string> = new Set();
  /** The `Retry-After` of a rate limit. */
  retryAfterSeconds = 2;
  /** All states so far, in the order of their slots. */
  readonly states: SvmSaleState[];
  /** The methods of all requests so far. */
  readonly requests: string[] = [];
  /** Called before each answer. Returns its fault, if any, and may change the sale, like a bid between two calls. */
  beforeAnswer: (method: string, params: readonly unknown[]) => SvmFault | undefined | Promise<SvmFault | undefined> =
    () => undefined;
  readonly #server: Server;
  readonly #accounts = new WeakMap<SvmSaleState, Map<string, Buffer>>();

  private constructor(states: SvmSaleState[]) {
    this.states = states;
    this.saleAccount = svmSaleAddress(this.state.saleUuid);
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
  }

  static start(saleUuid: string): Promise<SvmNode> {
    const mint = svmAddress("mint");
    return SvmNode.#start([{ slot: 100, saleUuid, mint, stage: 1, miscount: 0n, entities: new Map() }]);
  }

  /** Another node of the same chain. */
  startPeer(): Promise<SvmNode> {
    return SvmNode.#start(this.states);
  }

  static async #start(states: SvmSaleState[]): Promise<SvmNode> {
    const node = new SvmNode(states);
    node.#server.listen(0, "127.0.0.1");
    await once(node.#server, "listening");
    return node;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get state(): SvmSaleState {
    const state = this.states.at(-1);
    if (state === undefined) throw new Error("a node has a state");
    return state;
  }

  /** The accounts of the sale's program as they were at a slot, by address. */
  accountsAt(slot: number): ReadonlyMap<string, Buffer> {
    const state = this.states.find((each) => each.slot === slot);
    if (state === undefined) throw new Error(`there was no slot ${slot}`);
    return this.#accountsOf(state);
  }

  /** Advances to at least the requested slot without changes, as an idle chain does. */
  reach(params: readonly unknown[]): void {
    const { minContextSlot = 0 } = (params[1] ?? {}) as ReadConfig;
    while (this.state.slot < minContextSlot) this.advance();
  }

  /** Advances to the next slot, with a change. */
  advance(change: (state: SvmSaleState) => void = () => {}): void {
    const next = structuredClone(this.state);
    change(next);
    this.states.push({ ...next, slot: next.slot + 1 });
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const call = JSON.parse(Buffer.concat(chunks).toString()) as RpcRequest;
    this.requests.push(call.method);
    const fault = await this.beforeAnswer(call.method, call.params);
    if (fault === "hang") return;
    if (fault?.startsWith("http_")) {
      response.writeHead(Number(fault.slice(5)), this.#headersOf(fault)).end("secret");
      return;
    }
    response.writeHead(200, { "content-type": "application/json" });
    if (fault === "no_json") response.end("<html>");
    else if (fault === "endless") response.end(`{"result":"${"x".repeat(100_000)}"}`);
    else {
      const text = JSON.stringify({ jsonrpc: "2.0", id: call.id, ...this.#answer(call, fault) });
      response.end(fault === "cut_json" ? text.slice(0, -20) : text);
    }
  }

  #headersOf(fault: SvmFault): Record<string, string> {
    return fault === "http_429" ? { "retry-after": String(this.retryAfterSeconds) } : {};
  }

  #answer({ method, params }: RpcRequest, fault: SvmFault | undefined): object {
    const config = (params.at(-1) ?? {}) as ReadConfig;
    const previous = this.states.at(-2) ?? this.state;
    const state = fault === "behind" || fault === "stale" ? previous : this.state;
    if (fault === "unhealthy") return { error: { code: -32005, message: "Node is behind by 42 slots" } };
    if (fault === "rate_limited") return { error: { code: 429, message: "Too many requests for key abc" } };
    if (fault === "null_result") return { result: null };
    if (fault === "json_rpc_error") return { error: { code: -32603, message: "key abc is bad" } };
    if (fault === "invalid_params") return { error: { code: -32602, message: "Too many inputs provided; max 5" } };
    if (fault === "account_bound") return { error: { code: -32615, message: "limited to 5 accounts on your plan" } };
    if (method === "getSlot") return { result: state.slot };
    if (method === "getGenesisHash") return { result: this.genesisHash };
    if (fault !== "stale" && state.slot < (config.minContextSlot ?? 0)) {
      return { error: { code: -32016, message: "Minimum context slot has not been reached" } };
    }
    if (method === "getLatestBlockhash") {
      const value = { blockhash: svmAddress(`block ${state.slot}`) };
      return { result: fault === "no_context" ? { value } : { context: { slot: state.slot }, value } };
    }
    const accounts = this.#accountsOf(state);
    const value =
      method === "getProgramAccounts"
        ? this.#list(accounts, config, fault)
        : (params[0] as string[]).map((address) =>
            address === CLOCK ? this.#clock(state.slot) : this.#accountAt(address, accounts, fault),
          );
    if (fault === "missing_account" && method === "getMultipleAccounts") value[value.length - 1] = null;
    if (fault === "torn_list" && method === "getProgramAccounts") {
      const old = this.#list(this.#accountsOf(previous), config, undefined);
      value.splice(0, Math.ceil(old.length / 2), ...old.slice(0, Math.ceil(old.length / 2)));
    }
    if (fault === "empty_list" && method === "getProgramAccounts") value.length = 0;
    const context = { slot: state.slot, apiVersion: "2.0.0" };
    return { result: fault === "no_context" ? { value } : { context, value } };
  }

  #clock(slot: number): unknown {
    return this.hasClock ? clockAccount(slot) : null;
  }

  #accountsOf(state: SvmSaleState): Map<string, Buffer> {
    const accounts = this.#accounts.get(state) ?? saleAccounts(this.saleAccount, state);
    this.#accounts.set(state, accounts);
    return accounts;
  }

  #list(accounts: Map<string, Buffer>, { filters = [], dataSlice }: ReadConfig, fault: SvmFault | undefined) {
    const wanted = filters.map(({ memcmp }) => ({ offset: memcmp.offset, bytes: base58.decode(memcmp.bytes) }));
    const matches = (data: Buffer) =>
      wanted.every(({ offset, bytes }) => data.subarray(offset, offset + bytes.length).equals(bytes));
    const list: unknown[] = [...accounts]
      .filter(([address, data]) => !this.unlisted.has(address) && matches(data))
      .map(([pubkey, data]) => ({ pubkey, account: this.#account(data, dataSlice, fault) }));
    return fault === "missing_account" ? list.slice(0, -1) : list;
  }

  #accountAt(address: string, accounts: Map<string, Buffer>, fault: SvmFault | undefined): unknown {
    const bytes = accounts.get(address);
    if (bytes !== undefined || !this.funded.has(address)) return this.#account(bytes, undefined, fault);
    return { lamports: 1, owner: SYSTEM_PROGRAM, data: ["", "base64"], executable: false, rentEpoch: 0, space: 0 };
  }

  #account(bytes: Buffer | undefined, slice: ReadConfig["dataSlice"], fault: SvmFault | undefined): unknown {
    if (bytes === undefined) return null;
    let data = slice === undefined ? bytes : bytes.subarray(slice.offset, slice.offset + slice.length);
    if (fault === "short_data") data = data.subarray(0, Math.floor(data.length / 2));
    if (fault === "wrong_discriminator" && data.length > 0) data = Buffer.from(data).fill(0, 0, 8);
    const owner = fault === "foreign_owner" ? svmAddress("other program") : this.program;
    const lamports = 1_000_000;
    // Real nodes send this too, although a JavaScript number can't hold it exactly.
    return {
      lamports,
      owner,
      data: [data.toString("base64"), "base64"],
      executable: false,
      rentEpoch: 2 ** 64,
      space: bytes.length,
    };
  }
}
