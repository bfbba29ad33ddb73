import { RpcFault } from "../nodes/rpc-fault.ts";
import type { PinnedBlock } from "./pinned-block.ts";
import { EmptyAnswer } from "./pinned-block.ts";
import type { SaleCall } from "./sale-calls.ts";

/** Empty answers after which a function counts as absent. A node that only fails doesn't give so many. */
const EMPTY_ANSWERS_OF_ABSENT = 3;

/**
 * Calls functions that a contract may not have. A revert shows that it doesn't, and so do several empty answers. A function
 * that has answered once is never taken for absent.
 */
export class OptionalFunctions {
  readonly #present = new Set<string>();
  readonly #emptyAnswers = new Map<string, number>();

  /** @returns undefined if the contract has no such function. Errors are those of `PinnedBlock.call`. */
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
