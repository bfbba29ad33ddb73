import { SourceFault } from "../../../chains/base/source-fault.ts";
import type { EntityAllocation } from "../../contract-facts.ts";
import type { SourceAmount, SourceCommitment } from "../../source-commitment.ts";

/** Successive reads with the same finding after which it is taken for the contract's, and not for a node's mistake. */
const LASTING_READS = 3;

/** Thrown if the allocations of a contract can't be joined with its commitments. */
export class UnjoinableAllocations extends SourceFault {
  constructor(message: string) {
    super(message, { remedy: "wait" });
    this.name = "UnjoinableAllocations";
  }
}

/**
 * Joins the allocations of a contract with its commitments, which it lists in the same order: one of each for an entity. A
 * contract that is otherwise is read without its allocations, and founders are warned.
 */
export class AllocationJoin {
  #problem = "";
  /** Successive reads with a finding. */
  #reads = 0;
  #hasFailed = false;

  /** A text for founders; undefined unless the contract's allocations are given up. */
  get warning(): string | undefined {
    return this.isGivenUp ? `accepted amounts aren't read: ${this.#problem}` : undefined;
  }

  /** Whether the contract's allocations can't be joined, and are read no more. */
  get isGivenUp(): boolean {
    return this.#reads >= LASTING_READS;
  }

  /** Begins another read of the contract. */
  begin(): void {
    if (!this.#hasFailed) this.#reads = 0;
    this.#hasFailed = false;
  }

  /** @throws UnjoinableAllocations if a row and its allocation aren't of the same entity, or an entity has several rows */
  join(rows: readonly SourceCommitment[], allocations: readonly EntityAllocation[]): readonly SourceCommitment[] {
    return rows.map((row, index) => {
      const allocation = allocations[index];
      if (allocation?.entityId !== row.entityId) {
        throw this.#failed("the contract doesn't list its allocations in the order of its commitments");
      }
      const accepted = merged(allocation.accepted);
      if (accepted.length === 0) return row;
      if (row.commitmentId !== allocation.commitmentId) {
        throw this.#failed("the contract may have several commitments of an entity");
      }
      return { ...row, accepted };
    });
  }

  #failed(problem: string): UnjoinableAllocations {
    if (!this.#hasFailed) this.#reads += 1;
    this.#hasFailed = true;
    this.#problem = problem;
    return new UnjoinableAllocations(problem);
  }
}

/** The amounts by wallet and token, added up, without zeros. */
function merged(amounts: readonly SourceAmount[]): readonly SourceAmount[] {
  const sums = new Map<string, SourceAmount>();
  for (const each of amounts) {
    const key = `${each.wallet}/${each.token}`;
    sums.set(key, { ...each, amount: each.amount + (sums.get(key)?.amount ?? 0n) });
  }
  return [...sums.values()].filter(({ amount }) => amount > 0n);
}
