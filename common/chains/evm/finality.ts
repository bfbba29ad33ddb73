/** A block, as far as finality is about it. */
export interface FinalBlock {
  readonly number: bigint;
  readonly hash: string;
}

/** The word of one URL about the final blocks of its chain. */
export interface FinalityClaim<Block extends FinalBlock> {
  /** The block that it calls final; absent if it doesn't answer. */
  readonly claimed?: Block;
  /** The block that it called final before, when it was last believed. */
  readonly earlier?: FinalBlock;
  /** Hashes of its blocks by height. A height that it didn't answer for is absent. */
  readonly hashes: ReadonlyMap<bigint, string>;
}

/**
 * A claim, judged:
 * - `sound`: it agrees with what is final, and with what the URL said before;
 * - `behind`: it is older than what is final, and says nothing about it;
 * - `silent`: the URL doesn't say enough;
 * - `taken back`: the URL contradicts what it said before;
 * - `contradicts`: the URL calls another block final at the height of the one that is final.
 */
export type FinalityVerdict = "sound" | "behind" | "silent" | "taken back" | "contradicts";

export interface FinalityDecision<Block extends FinalBlock> {
  /** In the order of the claims. */
  readonly verdicts: readonly FinalityVerdict[];
  /** The newest block that enough URLs confirm now; absent if they confirm none. Never older than what is final. */
  readonly confirmed?: Block;
  /** Whether enough URLs contradict what is final. */
  readonly isContradicted: boolean;
}

/** URLs that must agree: two, or the only one. */
export function finalityQuorum(urls: number): number {
  return Math.min(2, urls);
}

/**
 * Decides which block is final. With several URLs it is the newest one that two of them have at its height, and call final, it or a
 * later one. What was final stays so: a URL that says otherwise is not believed.
 *
 * @param kept the block that is final so far.
 */
export function decideFinality<Block extends FinalBlock>(
  claims: readonly FinalityClaim<Block>[],
  kept: FinalBlock | undefined,
): FinalityDecision<Block> {
  const quorum = finalityQuorum(claims.length);
  const verdicts = claims.map((claim) => verdictOf(claim, kept));
  const sound = claims.filter((_, index) => verdicts[index] === "sound");
  const isConfirmed = ({ number, hash }: Block) =>
    sound.filter(({ hashes }) => hashes.get(number) === hash).length >= quorum;
  const confirmed = sound
    .flatMap(({ claimed }) => claimed ?? [])
    .sort((a, b) => (a.number > b.number ? -1 : 1))
    .find(isConfirmed);
  return {
    verdicts,
    ...(confirmed === undefined ? {} : { confirmed }),
    isContradicted: verdicts.filter((verdict) => verdict === "contradicts").length >= quorum,
  };
}

function verdictOf(
  { claimed, earlier, hashes }: FinalityClaim<FinalBlock>,
  kept: FinalBlock | undefined,
): FinalityVerdict {
  if (claimed === undefined) return "silent";
  const isBehind = kept !== undefined && claimed.number < kept.number;
  const hashAtKept = kept === undefined || isBehind ? undefined : hashes.get(kept.number);
  if (kept !== undefined && hashAtKept !== undefined && hashAtKept !== kept.hash) return "contradicts";
  const agrees = kept !== undefined && hashAtKept === kept.hash;
  // Once others have confirmed a later block that the URL has as well, it is believed again.
  const isOutdated = agrees && earlier !== undefined && earlier.number <= kept.number;
  if (earlier !== undefined && !isOutdated) {
    if (claimed.number < earlier.number) return "taken back";
    const hash = hashes.get(earlier.number);
    if (hash === undefined) return "silent";
    if (hash !== earlier.hash) return "taken back";
  }
  if (isBehind) return "behind";
  const isItsOwn = hashes.get(claimed.number) === claimed.hash;
  return isItsOwn && (kept === undefined || agrees) ? "sound" : "silent";
}

/** Votes of URLs about one block that was read as final. @returns undefined if too few of them have a block at its height */
export function isStillFinal(
  hashes: readonly (string | undefined)[],
  { hash }: Pick<FinalBlock, "hash">,
): boolean | undefined {
  const quorum = finalityQuorum(hashes.length);
  if (hashes.filter((other) => other === hash).length >= quorum) return true;
  const isContradicted = hashes.filter((other) => other !== undefined && other !== hash).length >= quorum;
  return isContradicted ? false : undefined;
}
