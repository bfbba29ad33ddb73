import { SourceFault } from "../../chains/base/source-fault.ts";
import type { PinnedBlock } from "../../chains/evm/pinned-block.ts";
import { termsCall } from "./auction-calls.ts";
import type { AuctionTerms, AuctionTermsAt } from "./decode-terms.ts";

export type { AuctionStep, AuctionTerms } from "./decode-terms.ts";

/**
 * Reads what an auction was made with. It never changes.
 *
 * @throws SourceFault if nodes or contract don't answer, or the auction counts other blocks than the chain's RPC
 */
export async function readAuctionTerms(pinned: PinnedBlock, signal: AbortSignal): Promise<AuctionTerms> {
  return (await readTermsAt(pinned, signal)).terms;
}

/** Reads the same, with what holds at the block. */
export async function readTermsAt(pinned: PinnedBlock, signal: AbortSignal): Promise<AuctionTermsAt> {
  const read = await pinned.call(termsCall(pinned.contract), signal);
  checkBlockNumbers(read, pinned.block.number);
  return read;
}

/**
 * Version 1.0.0 counts blocks as contracts see them. On Arbitrum and chains like it these are blocks of the chain below, so that
 * neither its schedule nor the blocks of its bids are those of the RPC. Version 1.1.0 asks such chains for their own numbers.
 */
function checkBlockNumbers({ terms, ownBlockNumber }: AuctionTermsAt, number: bigint): void {
  if (terms.version !== "1.0.0" || isNear(ownBlockNumber, number)) return;
  const problem = `the auction, of version 1.0.0, counts blocks of another chain (block ${number} is ${ownBlockNumber} to it)`;
  throw new SourceFault(`${problem}: auctions on chains like Arbitrum can be read from version 1.1.0 on`, {
    remedy: "mend",
  });
}

/** Some nodes run calls as if they were in the next block. */
function isNear(a: bigint, b: bigint): boolean {
  return a - b <= 1n && b - a <= 1n;
}
