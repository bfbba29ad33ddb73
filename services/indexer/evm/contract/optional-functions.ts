import { RpcFault } from "../nodes/rpc-fault.ts";
import type { PinnedBlock } from "./pinned-block.ts";
import { EmptyAnswer } from "./pinned-block.ts";
import type { SaleCall } from "./sale-calls.ts";

/** A function that is really absent may answer nothing rather than revert; a node that fails doesn't for so long. */
const EMPTY_ANSWERS_OF_ABSENT = 3;

/**
 * Calls functions that a contract may not have. A revert says so; an empty answer only when it comes again and again;
 * a function that has answered once is there for good.
 */
export class OptionalFunctions {
  readonly #present = new Set<string>();
  readonly #emptyAnswers = new Map<string, number>();

  /** @returns undefined where the contract has no such function. Errors as in `PinnedBlock.call`. */
  async call<Result>(pinned: PinnedBlock, call: SaleCall<Result>, signal: AbortSignal): Promise<Result | undefined> {
    try {
      const result = await pinned.call(call, signal);
      this.#present.add(call.name);
      return result;
    } catch (error) {
      if (this.#present.has(call.name) || !this.#saysAbsent(call.name, error)) throw error;
      return undefined;
    }
  }

  #saysAbsent(name: string, error: unknown): boolean {
    if (error instanceof RpcFault) return error.kind === "reverted";
    if (!(error instanceof EmptyAnswer)) return false;
    const count = (this.#emptyAnswers.get(name) ?? 0) + 1;
    this.#emptyAnswers.set(name, count);
    return count >= EMPTY_ANSWERS_OF_ABSENT;
  }
}
