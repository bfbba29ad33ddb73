import { SourceFault } from "../../../chains/base/source-fault.ts";
import type { TokenSums } from "../../contract-facts.ts";
import type { FamilyNames } from "../../evm-family.ts";
import { acceptedToken } from "./accepted-key.ts";

/** Successive blocks with the same difference after which it is taken for the contract's way of counting. */
const BLOCKS_OF_LASTING_DIFFERENCE = 3;
/** Successive blocks with any difference after which the same is assumed: during many bids it may change at each block. */
const BLOCKS_OF_CHANGING_DIFFERENCE = 10;

type TotalsNames = Pick<FamilyNames, "totals" | "acceptedTotals">;

/**
 * Compares the sums over all rows with the contract's own totals. A difference fails the read. The same difference at three
 * successive blocks, or any difference at ten, only causes a warning, because contracts differ in what they count.
 */
export class TotalsCheck {
  readonly #names: TotalsNames;
  #difference = "";
  /** Blocks with the current difference. */
  readonly #blocks = new Set<string>();
  /** Blocks with any difference since sums and totals last agreed. */
  readonly #differingBlocks = new Set<string>();

  constructor(names: TotalsNames) {
    this.#names = names;
  }

  /** Whether a partial read may end with these figures: they agree, or differ as they did before. */
  isExpected(sums: TokenSums, totals: TokenSums): boolean {
    const difference = differenceOf(sums, totals, this.#names);
    return difference === "" || (difference === this.#difference && this.#lasts());
  }

  /**
   * @param blockHash the block at which both were read.
   * @returns a warning if they differ and that is accepted.
   * @throws SourceFault if they differ and that isn't accepted yet.
   */
  check(sums: TokenSums, totals: TokenSums, blockHash: string): string | undefined {
    const difference = differenceOf(sums, totals, this.#names);
    if (difference !== this.#difference) this.#blocks.clear();
    this.#difference = difference;
    if (difference === "") this.#differingBlocks.clear();
    if (difference === "") return undefined;
    if (!this.#lasts()) {
      this.#blocks.add(blockHash);
      this.#differingBlocks.add(blockHash);
    }
    if (this.#lasts()) return difference;
    throw new SourceFault(difference, { remedy: "wait" });
  }

  #lasts(): boolean {
    const isSame = this.#blocks.size >= BLOCKS_OF_LASTING_DIFFERENCE;
    return isSame || this.#differingBlocks.size >= BLOCKS_OF_CHANGING_DIFFERENCE;
  }
}

/** A text that is the same for the same difference; empty if there is none. */
function differenceOf(sums: TokenSums, totals: TokenSums, names: TotalsNames): string {
  const keys = [...new Set([...sums.keys(), ...totals.keys()])].sort();
  const differing = keys
    .map((key) => ({ accepted: acceptedToken(key), key, excess: (totals.get(key) ?? 0n) - (sums.get(key) ?? 0n) }))
    .filter(({ excess }) => excess !== 0n);
  const committed = differing.filter(({ accepted }) => accepted === undefined);
  const accepted = differing.flatMap((each) => (each.accepted === undefined ? [] : { ...each, key: each.accepted }));
  const problems = [
    textOf(`${names.totals} of the contract isn't the sum of its commitments`, committed),
    textOf(`${names.acceptedTotals} of the contract isn't the sum of its allocations`, accepted),
  ];
  return problems.filter((text) => text !== "").join("; ");
}

function textOf(problem: string, differing: readonly { readonly key: string; readonly excess: bigint }[]): string {
  if (differing.length === 0) return "";
  const parts = differing.map(
    ({ key, excess }) => `${excess > 0n ? `${excess} too much` : `${-excess} too little`} of token ${key}`,
  );
  return `${problem}: ${parts.join(", ")}`;
}
