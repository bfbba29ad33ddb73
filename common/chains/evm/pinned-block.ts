import { SourceFault } from "../base/source-fault.ts";
import type { Block } from "./block.ts";
import type { ContractCall } from "./contract-call.ts";
import type { Answer, AskOptions, EvmEndpoint } from "./evm-endpoint.ts";
import type { NodeTime } from "./node-time.ts";
import { readBlock } from "./read-block.ts";
import type { RpcUrl } from "./rpc-url.ts";
import { nameOfBlock, type UrlAbilities } from "./url-probe.ts";

/** Attempts for an unusable answer. At one block the answer never changes, so it is a failure of that node. */
const ATTEMPTS = 3;
/** Name under which failures of code are counted: a node that refuses it takes calls of contracts all the same. */
const CODE_COUNTED_AS = "eth_call without a contract";
/** Answers of contracts consist of 32-byte words. */
const ABI_WORD_DIGITS = 64;

/** A second, independent answer about a call that a URL says the contract refuses. */
export type SecondAnswer<Result> =
  | { readonly kind: "answered"; readonly result: Result }
  /** `isOfOther`: another URL says the same; else the same one does, by a control call. */
  | { readonly kind: "refused"; readonly isOfOther: boolean }
  | { readonly kind: "none" };

type PinnableBlock = Pick<Block, "number" | "hash">;

/** A contract at one block, so that all calls see the same state, whatever happens on the chain meanwhile. */
export class PinnedBlock {
  readonly block: PinnableBlock;
  /** Address of the contract. */
  readonly contract: string;
  readonly #endpoint: EvmEndpoint;
  readonly #timed: Pick<AskOptions, "nodeTime">;
  /** URLs that may have meant another block, or one that has left the chain. `verify` asks them at the end. */
  #toVerify = new Set<RpcUrl>();
  /** The URL that last said that the contract refuses, by the data of the call. */
  readonly #refused = new Map<string, { readonly url: RpcUrl; readonly isShown: boolean }>();

  /** @param nodeTime measures the time that nodes take for the calls. */
  constructor(endpoint: EvmEndpoint, contract: string, block: PinnableBlock, nodeTime?: NodeTime) {
    this.#endpoint = endpoint;
    this.contract = contract;
    this.block = block;
    this.#timed = nodeTime === undefined ? {} : { nodeTime };
  }

  /** Measures the time that nodes take for the calls; undefined where nobody asks. */
  get nodeTime(): NodeTime | undefined {
    return this.#timed.nodeTime;
  }

  /** Returns another contract at the block, whose calls `verify` is about, too. @param contract `0x` and 40 hex digits */
  of(contract: string): PinnedBlock {
    const other = new PinnedBlock(this.#endpoint, contract, this.block, this.#timed.nodeTime);
    other.#toVerify = this.#toVerify;
    return other;
  }

  /** @throws SourceFault if the node or the contract doesn't answer, or if repeated answers are unusable. */
  async call<Result>(call: ContractCall<Result>, signal: AbortSignal): Promise<Result> {
    const useless = new Set<RpcUrl>();
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#answer(call, useless, signal);
      try {
        return this.#decode(call, answer);
      } catch (error) {
        if (attempt === ATTEMPTS) throw error;
        useless.add(answer.url);
      }
    }
  }

  /**
   * Asks for a second answer about a call that was just reverted: another URL, where there is one; else whether the call fails within
   * another one at this block, which must work.
   *
   * @throws the signal's reason once that is aborted.
   */
  async secondAnswer<Result>(call: ContractCall<Result>, signal: AbortSignal): Promise<SecondAnswer<Result>> {
    const first = this.#refused.get(call.data);
    if (first === undefined) return { kind: "none" };
    const second = await this.#ofOther(call, first.url, signal);
    if (second !== undefined) return second;
    const fails = first.isShown || (await this.#endpoint.failsWithin(first.url, this.#params(call), signal)) === true;
    return fails ? { kind: "refused", isOfOther: false } : { kind: "none" };
  }

  async #ofOther<Result>(
    call: ContractCall<Result>,
    first: RpcUrl,
    signal: AbortSignal,
  ): Promise<SecondAnswer<Result> | undefined> {
    const isOther = (url: RpcUrl) => url !== first && !this.#endpoint.isBackingOff(url, "eth_call");
    if (!this.#endpoint.urls.some(isOther)) return undefined;
    try {
      const answer = await this.#answer(call, new Set([first]), signal, { rounds: 1 });
      return { kind: "answered", result: this.#decode(call, answer) };
    } catch (error) {
      if (!(error instanceof SourceFault)) throw error;
      const isOfOther = error instanceof EmptyAnswer || this.#refused.get(call.data)?.url !== first;
      return isOfOther ? { kind: "refused", isOfOther } : undefined;
    }
  }

  #decode<Result>(call: ContractCall<Result>, { result, url }: Answer): Result {
    const subject = `${url.host}: ${call.name}() of contract ${this.contract}`;
    if (typeof result !== "string" || !result.startsWith("0x") || result === "0x") {
      throw new EmptyAnswer(`${subject} answered nothing`);
    }
    try {
      if ((result.length - 2) % ABI_WORD_DIGITS !== 0) throw new RangeError("not whole words");
      return call.decode(result as `0x${string}`);
    } catch (error) {
      const why = error instanceof Error ? firstLine(error.message) : "";
      throw new UnusableAnswer(`${subject} gave an unreadable answer (${why})`, error);
    }
  }

  /**
   * Must be called after the last call.
   *
   * @throws SourceFault if a node that isn't asked for blocks of the chain alone has another block of that number now.
   */
  async verify(signal: AbortSignal): Promise<void> {
    for (const url of this.#toVerify) {
      const now = await readBlock(this.#endpoint, this.block.number, signal, { only: url, small: true });
      if (now?.hash === this.block.hash) continue;
      throw new SourceFault(`${url.host}: the chain was re-organised while it was read`, { remedy: "wait" });
    }
  }

  /** Names the block by its hash where the URL takes hashes, else by its number. */
  async #answer(
    call: ContractCall<unknown>,
    last: ReadonlySet<RpcUrl>,
    signal: AbortSignal,
    options: Pick<AskOptions, "rounds"> = {},
  ): Promise<Answer> {
    const { data, heavy = false, isCode = false } = call;
    const onRevert = (url: RpcUrl, isShown: boolean) => void this.#refused.set(data, { url, isShown });
    const counted = isCode ? { countedAs: CODE_COUNTED_AS, about: this.contract } : {};
    const all = { heavy, small: !heavy, last, onRevert, ...counted, ...this.#timed, ...options };
    const answer = await this.#endpoint.answer("eth_call", this.#params(call), signal, all);
    if (!answer.abilities.requireCanonical) this.#toVerify.add(answer.url);
    return answer;
  }

  #params({ data, isCode = false }: ContractCall<unknown>): (abilities: UrlAbilities) => readonly unknown[] {
    const call = isCode ? { data } : { to: this.contract, data };
    return (abilities) => [call, nameOfBlock(this.block, abilities)];
  }
}

/** Thrown if a node's answers about one block contradict each other, because one of them is about another block. */
export class ContradictoryAnswers extends SourceFault {
  constructor(message: string) {
    super(message, { remedy: "wait" });
    this.name = "ContradictoryAnswers";
  }
}

/** Thrown for an answer that isn't of the function's type. */
export class UnusableAnswer extends SourceFault {
  constructor(message: string, cause?: unknown) {
    super(message, { remedy: "wait", cause });
    this.name = "UnusableAnswer";
  }
}

/** Thrown for the answer `0x`: there is no contract, or it doesn't have the function. */
export class EmptyAnswer extends UnusableAnswer {
  constructor(message: string) {
    super(message);
    this.name = "EmptyAnswer";
  }
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0]?.slice(0, 200) ?? "";
}
