import { SourceFault } from "../../../chains/base/source-fault.ts";

/** Slots, each in a read of its own, with the same difference after which it is taken for the program's. */
const LASTING_SLOTS = 3;

/**
 * Compares a sum over all entities with the sale's own total at one slot. A difference is first taken for an inconsistent
 * answer and fails the read. If it lasts, it only causes a warning.
 */
export class TotalCheck {
  readonly #verb: string;
  #difference = 0n;
  #slots = 0;
  #lastSlot = -1n;
  #accepted = 0n;

  /** @param verb what the entities do with the sum, for texts */
  constructor(verb: string) {
    this.#verb = verb;
  }

  /** Whether the sums agree, or differ as they did before: then no entity with an amount is missing that wasn't before. */
  get isAsAccepted(): boolean {
    return this.#difference === 0n || this.#difference === this.#accepted;
  }

  /** Handles that what was checked last has become the sale's figures. */
  accept(): void {
    this.#accepted = this.#difference;
  }

  /**
   * @returns a warning for founders if the difference lasts; undefined if there is none.
   * @throws SourceFault if there is a difference that hasn't lasted yet.
   */
  check(sum: bigint, total: bigint, slot: bigint): string | undefined {
    const difference = sum - total;
    if (difference !== this.#difference) this.#slots = 0;
    if (difference !== this.#difference || slot > this.#lastSlot) this.#slots += 1;
    this.#difference = difference;
    this.#lastSlot = slot;
    if (difference === 0n) return undefined;
    const problem = `the entities ${this.#verb} ${sum}, the sale account says ${total} (smallest units of the payment token)`;
    if (this.#slots < LASTING_SLOTS) throw new SourceFault(`slot ${slot}: ${problem}`, { remedy: "wait" });
    return problem;
  }
}
