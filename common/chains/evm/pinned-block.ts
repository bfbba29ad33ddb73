import { SourceFault } from "../base/source-fault.ts";
import { type Block, quantity, readBlock } from "./block.ts";
import type { ContractCall } from "./contract-call.ts";
import type { Answer, AskOptions, EvmEndpoint } from "./evm-endpoint.ts";
import type { NodeTime } from "./node-time.ts";
import { RpcFault } from "./rpc-fault.ts";
import type { RpcUrl } from "./rpc-url.ts";

/** Attempts for an unusable answer. At one block the answer never changes, so it is a failure of that node. */
const ATTEMPTS = 3;
/** Answers of contracts consist of 32-byte words. */
const ABI_WORD_DIGITS = 64;

type PinnableBlock = Pick<Block, "number" | "hash">;

/** A contract at one block, so that all calls see the same state, whatever happens on the chain meanwhile. */
export class PinnedBlock {
  readonly block: PinnableBlock;
  readonly #endpoint: EvmEndpoint;
  readonly #contract: string;
  readonly #timed: Pick<AskOptions, "nodeTime">;
  /** Nodes that were asked by block number. `verify` checks at the end which block they meant. */
  readonly #askedByNumber = new Set<RpcUrl>();

  /** @param nodeTime measures the time that nodes take for the calls. */
  constructor(endpoint: EvmEndpoint, contract: string, block: PinnableBlock, nodeTime?: NodeTime) {
    this.#endpoint = endpoint;
    this.#contract = contract;
    this.block = block;
    this.#timed = nodeTime === undefined ? {} : { nodeTime };
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

  #decode<Result>(call: ContractCall<Result>, { result, url }: Answer): Result {
    const subject = `${url.host}: ${call.name}() of contract ${this.#contract}`;
    if (typeof result !== "string" || !result.startsWith("0x") || result === "0x") {
      throw new EmptyAnswer(`${subject} answered nothing`);
    }
    try {
      if ((result.length - 2) % ABI_WORD_DIGITS !== 0) throw new Error("not whole words");
      return call.decode(result as `0x${string}`);
    } catch (error) {
      const why = error instanceof Error ? firstLine(error.message) : "";
      throw new UnusableAnswer(`${subject} gave an unreadable answer (${why})`, error);
    }
  }

  /**
   * Must be called after the last call.
   *
   * @throws SourceFault if a node that doesn't accept block hashes meant another block by the number.
   */
  async verify(signal: AbortSignal): Promise<void> {
    for (const url of this.#askedByNumber) {
      const now = await readBlock(this.#endpoint, this.block.number, signal, { only: url });
      if (now?.hash === this.block.hash) continue;
      throw new SourceFault(`${url.host}: the chain was re-organised while it was read`, { remedy: "wait" });
    }
  }

  /** Asks by block hash (EIP-1898) if the node accepts that, else by number. */
  async #answer(
    { data, heavy = false }: ContractCall<unknown>,
    last: ReadonlySet<RpcUrl>,
    signal: AbortSignal,
  ): Promise<Answer> {
    const call = { to: this.#contract, data };
    const options = { heavy, last, ...this.#timed };
    const byHash = { blockHash: `0x${this.block.hash}`, requireCanonical: true };
    if (this.#askedByNumber.size === 0) {
      try {
        return await this.#endpoint.answer("eth_call", [call, byHash], signal, options);
      } catch (error) {
        if (!(error instanceof RpcFault) || error.kind !== "unsupported") throw error;
      }
    }
    const byNumber = [call, quantity(this.block.number)];
    const answer = await this.#endpoint.answer("eth_call", byNumber, signal, options);
    this.#askedByNumber.add(answer.url);
    return answer;
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
