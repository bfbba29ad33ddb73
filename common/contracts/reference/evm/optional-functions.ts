import type { ContractCall } from "../../../chains/evm/contract-call.ts";
import { EmptyAnswer, type PinnedBlock, UnusableAnswer } from "../../../chains/evm/pinned-block.ts";
import { RpcFault } from "../../../chains/evm/rpc-fault.ts";

/** Unusable answers after which a function counts as absent. A node that only fails doesn't give so many. */
export const UNUSABLE_ANSWERS_OF_ABSENT = 3;

/**
 * Calls functions that a contract may not have. A revert shows that it doesn't, and so do several unusable answers: it has
 * none, or another one of that name. A function that has answered once is never taken for absent.
 */
export class OptionalFunctions {
  readonly #attempts: number;
  readonly #present = new Set<string>();
  /** Number of unusable answers by function. */
  readonly #unusable = new Map<string, number>();
  /** Functions of the name that answer something else. */
  readonly #foreign = new Set<string>();

  /** @param attempts calls after unusable answers, before `call` fails. With three, it always knows whether there is a function. */
  constructor(attempts = 1) {
    this.#attempts = attempts;
  }

  /** Texts for founders about functions that answer something else than those of the reference contract. */
  get warnings(): readonly string[] {
    return [...this.#foreign].map(
      (name) => `${name}() of the contract doesn't answer like that of the reference contract, so it is ignored`,
    );
  }

  /** @returns undefined if the contract has no such function. Errors are those of `PinnedBlock.call`. */
  async call<Result>(
    pinned: PinnedBlock,
    call: ContractCall<Result>,
    signal: AbortSignal,
  ): Promise<Result | undefined> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const result = await pinned.call(call, signal);
        this.#present.add(call.name);
        this.#foreign.delete(call.name);
        return result;
      } catch (error) {
        if (!this.#present.has(call.name) && this.#saysAbsent(call.name, error)) return undefined;
        if (!(error instanceof UnusableAnswer) || attempt >= this.#attempts) throw error;
      }
    }
  }

  #saysAbsent(name: string, error: unknown): boolean {
    if (error instanceof RpcFault) return error.kind === "reverted";
    if (!(error instanceof UnusableAnswer)) return false;
    const count = (this.#unusable.get(name) ?? 0) + 1;
    this.#unusable.set(name, count);
    if (count < UNUSABLE_ANSWERS_OF_ABSENT) return false;
    if (!(error instanceof EmptyAnswer)) this.#foreign.add(name);
    return true;
  }
}
