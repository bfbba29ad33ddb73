import type { SaleStage } from "../../../sale/state/stage.ts";
import type { TokenSums } from "../../contract-facts.ts";
import { AllocationJoin } from "./allocation-join.ts";
import type { ReadSession } from "./read-session.ts";

/**
 * Whether a contract may have allocations: from the settlement of its sale on.
 *
 * @param stage of the contract; undefined where it isn't known, so that `settled` counts
 * @param settled whether the sale is settled as it is stored, or shown
 */
export function mayHaveAllocations(stage: SaleStage | undefined, settled: boolean): boolean {
  return stage === undefined ? settled : stage === "settlement" || stage === "done";
}

/** Decides at each read whether the allocations of a contract are read with its rows. */
export class AllocationReading {
  readonly join = new AllocationJoin();
  /** The reason why they weren't read last time, though the sale was being settled. */
  #problem: string | undefined;

  /** A text for founders; undefined unless accepted amounts can't be read. */
  get warning(): string | undefined {
    return this.#problem;
  }

  /**
   * Makes a session read allocations, from the settlement of its sale on, if the contract says them.
   *
   * @param stage of the contract; undefined where it isn't known, so that the stored sale says whether it is settled
   * @returns the contract's own totals; undefined where allocations aren't read
   * @throws the errors of `PinnedBlock.call`
   */
  async begin(session: ReadSession, count: bigint, stage: SaleStage | undefined): Promise<TokenSums | undefined> {
    this.#problem = undefined;
    if (!mayHaveAllocations(stage, session.options.stored.settled === true)) return undefined;
    if (this.join.isGivenUp) {
      this.#problem = this.join.warning;
      return undefined;
    }
    this.join.begin();
    const { totals, problem } = await session.allocationFacts(count);
    this.#problem = problem;
    if (totals !== undefined) session.withAllocations(this.join);
    return totals;
  }
}
