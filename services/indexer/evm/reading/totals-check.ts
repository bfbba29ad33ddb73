import { SourceFault } from "../../source/source-reader.ts";
import type { TokenSums } from "../contract/sale-calls.ts";

/** At so many blocks in succession the same difference is how the contract counts, not a failure to read it. */
const BLOCKS_OF_LASTING_DIFFERENCE = 3;
/** A contract that counts otherwise may differ by something else at each block while much happens. */
const BLOCKS_OF_CHANGING_DIFFERENCE = 10;

/**
 * Compares the sums over all rows with what the contract says is their total. A difference fails the reading; the same
 * difference at three successive blocks, or any at ten, is let through with a warning, as contracts differ on what they
 * count.
 */
export class TotalsCheck {
  #difference = "";
  /** At which there was this difference. */
  readonly #blocks = new Set<string>();
  /** At which there was any, since sums and totals last agreed. */
  readonly #apartAt = new Set<string>();

  /** Whether a partial reading may go on from these figures: they agree, or differ as they did before. */
  isExpected(sums: TokenSums, totals: TokenSums): boolean {
    const difference = differenceOf(sums, totals);
    return difference === "" || (difference === this.#difference && this.#lasts());
  }

  /**
   * @param blockHash where both were read.
   * @returns a warning where they differ and are let through.
   * @throws SourceFault where they differ otherwise.
   */
  verdict(sums: TokenSums, totals: TokenSums, blockHash: string): string | undefined {
    const difference = differenceOf(sums, totals);
    if (difference !== this.#difference) this.#blocks.clear();
    this.#difference = difference;
    if (difference === "") this.#apartAt.clear();
    if (difference === "") return undefined;
    if (!this.#lasts()) {
      this.#blocks.add(blockHash);
      this.#apartAt.add(blockHash);
    }
    const words = `totalCommittedAmountByToken() of the contract isn't the sum of its commitments: ${difference}`;
    if (this.#lasts()) return words;
    throw new SourceFault(words, { remedy: "wait" });
  }

  #lasts(): boolean {
    const isSame = this.#blocks.size >= BLOCKS_OF_LASTING_DIFFERENCE;
    return isSame || this.#apartAt.size >= BLOCKS_OF_CHANGING_DIFFERENCE;
  }
}

/** In words, the same for the same difference; empty where there is none. */
function differenceOf(sums: TokenSums, totals: TokenSums): string {
  const tokens = [...new Set([...sums.keys(), ...totals.keys()])].sort();
  return tokens
    .map((token) => ({ token, excess: (totals.get(token) ?? 0n) - (sums.get(token) ?? 0n) }))
    .filter(({ excess }) => excess !== 0n)
    .map(({ token, excess }) => `${excess > 0n ? `${excess} too much` : `${-excess} too little`} of token ${token}`)
    .join(", ");
}
