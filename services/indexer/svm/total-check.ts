import { SourceFault } from "../source/source-reader.ts";

/** A difference that is still the same at this many slots, in as many readings, is one of the contract. */
const LASTING_SLOTS = 3;

/**
 * Compares the sum of all entities with what the sale says, of one slot. A difference is first taken for a torn answer;
 * one that lasts no longer keeps the rows from being published.
 */
export class TotalCheck {
  #difference = 0n;
  #slots = 0;
  #lastSlot = -1n;

  /**
   * @returns words for a founder where the difference lasts; nothing where there is none.
   * @throws SourceFault where there is one that doesn't last yet.
   */
  note(sum: bigint, total: bigint, slot: bigint): string | undefined {
    const difference = sum - total;
    if (difference !== this.#difference) this.#slots = 0;
    if (difference !== this.#difference || slot > this.#lastSlot) this.#slots += 1;
    this.#difference = difference;
    this.#lastSlot = slot;
    if (difference === 0n) return undefined;
    const words = `the entities hold ${sum}, the sale account says ${total} (smallest units of the payment token)`;
    if (this.#slots < LASTING_SLOTS) throw new SourceFault(`slot ${slot}: ${words}`, { remedy: "wait" });
    return words;
  }
}
