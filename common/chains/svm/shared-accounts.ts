import type { SolanaRpcApi } from "@solana/rpc";
import { abortedByAll } from "../../platform/concurrency/aborted-by-all.ts";
import { Batcher } from "../../platform/concurrency/batcher.ts";
import { untilAborted } from "../../platform/concurrency/until-aborted.ts";
import { inBatches } from "../../platform/db/batches.ts";
import type { SvmChain } from "../base/chain.ts";
import type { JsonRpcUrl } from "../nodes/json-rpc-url.ts";
import { contextSlot, listedAccounts } from "./account-answer.ts";
import { CLOCK_ACCOUNT } from "./clock-account.ts";
import type { SvmRpc } from "./svm-rpc.ts";

type RpcAddress = Parameters<SolanaRpcApi["getMultipleAccounts"]>[0][number];

/** Limit of `getMultipleAccounts`, without the clock. */
const MAX_ACCOUNTS = 99;
/** Limit for a call about several accounts. One that takes longer must not hold up all of them for as long as a request may take. */
const LIMIT_MS = 2_000;
const SHRINK = 4;
/** Time after which as many accounts as ever are asked for again. */
const REFUSED_MS = 10 * 60_000;

interface Request {
  /** Base58. */
  readonly address: string;
  /** Answers from before it are refused. */
  readonly minSlot: bigint;
  readonly signal: AbortSignal;
}

/** An account with the chain's clock at the same slot, as a node has sent them. */
export interface AccountWithClock {
  /** Has the shape of an answer to `getMultipleAccounts` for the clock and the account alone. */
  readonly answer: { readonly context: { readonly slot: bigint }; readonly value: readonly [unknown, unknown] };
  /** The URL that answered. */
  readonly url: JsonRpcUrl;
}

/**
 * Reads the sale accounts of all readers of a chain, which are asked for while another call is under way, by one
 * `getMultipleAccounts`: an idle sale costs no call for its account. Whoever has no part of an answer asks alone, so that no sale's
 * account, slot or size can hurt another.
 */
export class SharedAccounts {
  readonly #chain: Pick<SvmChain, "commitment">;
  readonly #rpc: SvmRpc;
  readonly #batcher = new Batcher((requests: readonly Request[]) => this.#together(requests), {
    maxBatch: MAX_ACCOUNTS,
  });
  readonly #now: () => number;
  #refused: { readonly size: number; readonly until: number } | undefined;

  /** @param now milliseconds of a monotonic clock */
  constructor(chain: Pick<SvmChain, "commitment">, rpc: SvmRpc, now: () => number = () => performance.now()) {
    this.#chain = chain;
    this.#rpc = rpc;
    this.#now = now;
  }

  /**
   * Returns an account with the clock; undefined where it is to be asked for alone.
   *
   * @throws the signal's reason
   */
  withClock(address: string, minSlot: bigint, signal: AbortSignal): Promise<AccountWithClock | undefined> {
    return untilAborted(this.#batcher.run({ address, minSlot, signal }), signal);
  }

  async #together(requests: readonly Request[]): Promise<readonly (AccountWithClock | undefined)[]> {
    const present = requests.filter(({ signal }) => !signal.aborted);
    const parts = new Map<Request, AccountWithClock>();
    const size = this.#refused !== undefined && this.#now() < this.#refused.until ? this.#refused.size : MAX_ACCOUNTS;
    const groups = [...inBatches(present, size)];
    // A single one has nobody to share a call with.
    await Promise.all(groups.filter(({ length }) => length > 1).map((group) => this.#ask(group, parts)));
    return requests.map((request) => parts.get(request));
  }

  async #ask(group: readonly Request[], parts: Map<Request, AccountWithClock>): Promise<void> {
    const addresses = [CLOCK_ACCOUNT, ...group.map(({ address }) => address)];
    const minContextSlot = medianOf(group.map(({ minSlot }) => minSlot));
    const config = { commitment: this.#chain.commitment, encoding: "base64", minContextSlot } as const;
    const urls: JsonRpcUrl[] = [];
    using all = abortedByAll(group.map(({ signal }) => signal));
    try {
      const methods = await this.#rpc({ onAnswer: (url) => urls.push(url) });
      const abortSignal = AbortSignal.any([all.signal, AbortSignal.timeout(LIMIT_MS)]);
      const answer: unknown = await methods
        .getMultipleAccounts(addresses as RpcAddress[], config)
        .send({ abortSignal });
      const slot = contextSlot(answer);
      const [clock, ...accounts] = listedAccounts(answer, addresses.length);
      const [url] = urls;
      if (url === undefined) return;
      for (const [index, request] of group.entries()) {
        if (request.minSlot > slot) continue;
        parts.set(request, { answer: { context: { slot }, value: [clock, accounts[index]] }, url });
      }
    } catch {
      // That nobody waits any more says nothing of the node.
      if (all.signal.aborted) return;
      // Each asks alone, and learns by itself what is wrong.
      const size = Math.max(1, Math.floor(group.length / SHRINK));
      this.#refused = { size, until: this.#now() + REFUSED_MS };
    }
  }
}

/** The lower median: a sale whose slot is far ahead of the node mustn't make the others wait for it. Such a sale asks alone. */
function medianOf(slots: readonly bigint[]): bigint {
  const inOrder = slots.toSorted((a, b) => (a < b ? -1 : 1));
  return inOrder[Math.floor((inOrder.length - 1) / 2)] ?? 0n;
}
