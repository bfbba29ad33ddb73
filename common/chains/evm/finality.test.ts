import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideFinality, type FinalBlock, type FinalityClaim, isStillFinal } from "./finality.ts";

/** A block of the chain, or of the fork `fork` from block 50 on. */
function block(number: number, fork = ""): FinalBlock {
  return { number: BigInt(number), hash: number < 50 ? `${number}` : `${fork}${number}` };
}

/** The claim of a URL that has a whole chain up to the block that it calls final. */
function claim(number: number, earlier?: FinalBlock, fork = ""): FinalityClaim<FinalBlock> {
  const hashes = new Map(Array.from({ length: number + 1 }, (_, at) => [BigInt(at), block(at, fork).hash]));
  return { claimed: block(number, fork), hashes, ...(earlier === undefined ? {} : { earlier }) };
}

const SILENT: FinalityClaim<FinalBlock> = { hashes: new Map() };

function decide(claims: readonly FinalityClaim<FinalBlock>[], kept?: FinalBlock) {
  const { confirmed, verdicts, isContradicted } = decideFinality(claims, kept);
  return { final: confirmed?.hash, verdicts, isContradicted };
}

describe("what is final", () => {
  it.each<[string, readonly FinalityClaim<FinalBlock>[], FinalBlock | undefined, string | undefined]>([
    ["of one URL is what it says", [claim(60)], undefined, "60"],
    ["of one URL moves with it", [claim(70, block(60))], block(60), "70"],
    ["of two URLs is what both have", [claim(70), claim(60)], undefined, "60"],
    ["of two URLs needs both", [claim(70), SILENT], undefined, undefined],
    [
      "of two URLs on two chains is the last block of both, if both call it final",
      [claim(49), claim(70)],
      undefined,
      "49",
    ],
    [
      "of two URLs on two chains isn't decided by one of them",
      [claim(70, undefined, "x"), claim(60)],
      undefined,
      undefined,
    ],
    ["of three URLs is what the two newest have", [claim(70), claim(40), claim(60)], undefined, "60"],
    [
      "of three URLs is what two have, against the third",
      [claim(80, undefined, "x"), claim(60), claim(70)],
      undefined,
      "60",
    ],
    ["stays while URLs still say the same", [claim(60, block(60)), claim(60, block(60))], block(60), "60"],
    ["stays while one of them is ahead", [claim(70, block(60)), claim(60, block(60))], block(60), "60"],
    ["moves without a URL that is behind", [claim(70), claim(55), claim(65)], block(60), "65"],
    ["isn't moved by one URL while another is behind", [claim(70), claim(55)], block(60), undefined],
  ])("%s", (_, claims, kept, final) => {
    expect(decide(claims, kept).final).toBe(final);
  });

  it.each<[string, FinalityClaim<FinalBlock>, FinalBlock | undefined, string]>([
    ["agrees", claim(70, block(60)), block(60), "sound"],
    ["is older than what is final, as it was before", claim(55, block(54)), block(60), "behind"],
    ["is the first one, and older than what is final", claim(55), block(60), "behind"],
    ["is lower than the URL's own earlier one", claim(65, block(66)), block(60), "taken back"],
    ["has another block at the URL's own earlier height", claim(70, block(65, "x")), block(60), "taken back"],
    ["has another block at the height that is final", claim(70, undefined, "x"), block(60), "contradicts"],
    [
      "has another block at the height that was final by its own word",
      claim(70, block(60), "x"),
      block(60),
      "contradicts",
    ],
    ["agrees again, past the height at which it was taken back", claim(80, block(70, "x")), block(75), "sound"],
    ["is of another chain behind what is final, taken back", claim(55, block(52), "x"), block(60), "taken back"],
    ["names a block that the URL doesn't have", { ...claim(70), claimed: block(70, "x") }, block(60), "silent"],
    [
      "is of a URL that doesn't say which block it has at the final height",
      { ...claim(70), hashes: new Map() },
      block(60),
      "silent",
    ],
    ["is missing", SILENT, block(60), "silent"],
  ])("a claim that %s", (_, judged, kept, verdict) => {
    expect(decide([judged], kept).verdicts).toEqual([verdict]);
  });

  it.each<[string, readonly FinalityClaim<FinalBlock>[], boolean]>([
    ["one URL, if it is the only one", [claim(70, undefined, "x")], true],
    ["not one of two URLs", [claim(70, undefined, "x"), claim(70)], false],
    ["two of three URLs", [claim(70, undefined, "x"), claim(70), claim(60, undefined, "x")], true],
    ["two URLs with blocks of different chains", [claim(70, undefined, "x"), claim(70, undefined, "y")], true],
    ["no URL that is behind", [claim(55, undefined, "x"), claim(55, undefined, "x")], false],
  ])("is contradicted by %s", (_, claims, isContradicted) => {
    expect(decide(claims, block(60)).isContradicted).toBe(isContradicted);
  });

  it("never goes back, and never changes by the word of fewer than two URLs", () => {
    const claims = fc.array(
      fc.record({ number: fc.integer({ min: 1, max: 99 }), fork: fc.constantFrom("", "", "", "x", "y") }),
      { minLength: 2, maxLength: 5 },
    );
    fc.assert(
      fc.property(fc.array(claims, { maxLength: 8 }), (rounds) => {
        let kept: FinalBlock | undefined;
        for (const round of rounds) {
          const each = round.map(({ number, fork }) => claim(number, undefined, fork));
          const { confirmed } = decideFinality(each, kept);
          if (confirmed === undefined) continue;
          const backers = each.filter(({ hashes }) => hashes.get(confirmed.number) === confirmed.hash);
          expect(backers.length).toBeGreaterThanOrEqual(2);
          for (const { hashes } of kept === undefined ? [] : backers.slice(0, 2)) {
            expect(hashes.get(kept?.number ?? 0n)).toBe(kept?.hash);
          }
          expect(confirmed.number).toBeGreaterThanOrEqual(kept?.number ?? 0n);
          kept = confirmed;
        }
      }),
    );
  });
});

describe("a block that was read as final", () => {
  it.each<[readonly (string | undefined)[], boolean | undefined]>([
    [["60"], true],
    [["x60"], false],
    [[undefined], undefined],
    [["60", "60"], true],
    [["60", "x60"], undefined],
    [["x60", "y60"], false],
    [["60", undefined], undefined],
    [["x60", "60", "60"], true],
    [["x60", "60", "x60"], false],
  ])("by the blocks %j of URLs at its height: %j", (hashes, isFinal) => {
    expect(isStillFinal(hashes, block(60))).toBe(isFinal);
  });
});
