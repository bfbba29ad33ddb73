import { SourceFault } from "../../../chains/base/source-fault.ts";
import type { ContractCall } from "../../../chains/evm/contract-call.ts";
import { EmptyAnswer, type PinnedBlock, UnusableAnswer } from "../../../chains/evm/pinned-block.ts";
import { RpcFault } from "../../../chains/evm/rpc-fault.ts";

/** Unusable answers, or reverts without a second evidence, after which a function counts as absent. A node that only fails doesn't give so many. */
export const UNUSABLE_ANSWERS_OF_ABSENT = 3;

/**
 * Calls functions that a contract may not have. A revert shows that it doesn't if another URL says the same, or where there is none a
 * control call at the same block, and so do several unusable answers: it has none, or another one of that name. A function that has answered
 * once is never taken for absent; one that was taken for absent is called on.
 */
export class OptionalFunctions {
  readonly #attempts: number;
  readonly #present = new Set<string>();
  /** Absent functions, and whether two URLs, or two reads, say so. */
  readonly #absent = new Map<string, { readonly block: string; readonly isSure: boolean }>();
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

  /**
   * @returns undefined if the contract has no such function.
   * @throws SourceFault for a revert without a second evidence; the other errors of `PinnedBlock.call`.
   */
  async call<Result>(
    pinned: PinnedBlock,
    call: ContractCall<Result>,
    signal: AbortSignal,
  ): Promise<Result | undefined> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return this.#answered(call.name, await pinned.call(call, signal));
      } catch (error) {
        const isRevert = error instanceof RpcFault && error.kind === "reverted";
        if (!(isRevert || error instanceof UnusableAnswer)) throw error;
        const outcome = isRevert ? await this.#reverted(pinned, call, signal) : undefined;
        if (outcome !== undefined) return outcome.result;
        const isPresent = this.#present.has(call.name);
        if (!isPresent && this.#saysAbsent(call.name, error)) return undefined;
        if (isPresent || attempt >= this.#attempts) throw isRevert ? unconfirmedRevert(call.name, error) : error;
      }
    }
  }

  /** Whether a function's absence rests on one URL at one block, so that a later read should ask again. */
  isUnsure(name: string): boolean {
    return this.#absent.get(name)?.isSure === false;
  }

  #answered<Result>(name: string, result: Result): Result {
    this.#present.add(name);
    this.#absent.delete(name);
    this.#foreign.delete(name);
    return result;
  }

  /** Looks for a second evidence after a revert. @returns undefined if there is none; a result without a value for an absent function */
  async #reverted<Result>(
    pinned: PinnedBlock,
    call: ContractCall<Result>,
    signal: AbortSignal,
  ): Promise<{ readonly result: Result | undefined } | undefined> {
    const { name } = call;
    const known = this.#absent.get(name);
    if (known?.isSure === true) return { result: undefined };
    const second = await pinned.secondAnswer(call, signal);
    if (second.kind === "answered") return { result: this.#answered(name, second.result) };
    if (second.kind === "none" || this.#present.has(name)) return undefined;
    const { hash } = pinned.block;
    const isSure = second.isOfOther || (known !== undefined && known.block !== hash);
    this.#absent.set(name, { block: known?.block ?? hash, isSure });
    return { result: undefined };
  }

  #saysAbsent(name: string, error: RpcFault | UnusableAnswer): boolean {
    const count = (this.#unusable.get(name) ?? 0) + 1;
    this.#unusable.set(name, count);
    if (count < UNUSABLE_ANSWERS_OF_ABSENT) return false;
    if (error instanceof UnusableAnswer && !(error instanceof EmptyAnswer)) this.#foreign.add(name);
    return true;
  }
}

/** A fault that says nothing about the contract, which one node's word is no evidence for. */
function unconfirmedRevert(name: string, cause: RpcFault): SourceFault {
  const problem = `${cause.message}: nothing else shows yet that ${name}() of the contract fails, so it is asked again`;
  return new SourceFault(problem, { remedy: "wait", isOfNodes: true, cause });
}
