import { AbiWords } from "../../chains/evm/abi-words.ts";
import type { IndexRange } from "../contract-facts.ts";
import { ALL_MPS } from "./fills/checkpoint.ts";

const WORD = 32;
const BID = 3 * WORD;
const BLOCK_BITS = 64n;
const MPS_BITS = 32n;
const Q96_BITS = 96n;
const PRICE_BITS = 160n;
const AMOUNT_BITS = 128n;

/** A bid as the auction stores it, without what its exit and claim change. */
export interface AuctionBid {
  /** Its number, from 0. */
  readonly id: bigint;
  /** Times 2^96; less than 2^160. */
  readonly maxPrice: bigint;
  /** Smallest units of the currency; less than 2^128. */
  readonly amount: bigint;
  /** Lower-case address. */
  readonly owner: string;
  readonly startBlock: bigint;
  /** Ten-millionths of the supply that were issued before that block: fewer than all. */
  readonly startCumulativeMps: bigint;
}

/**
 * Decodes the answer of contracts/AuctionBidsCode.sol.
 *
 * @param range the range that was asked for.
 * @param newest number of the block at which it was asked for.
 * @throws RangeError for any other number of bids, for an auction that has fewer, and for a bid that no auction has at that block.
 */
export function decodeBids(answer: string, { from, to }: IndexRange, newest: bigint): readonly AuctionBid[] {
  const words = new AbiWords(answer);
  const expected = WORD + Number(to - from) * BID;
  if (words.length !== expected) throw new RangeError(`${words.length} bytes instead of ${expected}`);
  if (words.uint256(0) < to) throw new RangeError(`bids up to ${to} of an auction that has ${words.uint256(0)}`);
  return Array.from({ length: Number(to - from) }, (_, index) => {
    const at = WORD + index * BID;
    return checked({ id: from + BigInt(index), maxPrice: words.uint256(at), ...restOf(words, at + WORD) }, newest);
  });
}

function restOf(words: AbiWords, at: number) {
  const amountQ96 = words.uint256(at);
  const packed = words.uint256(at + WORD);
  const amount = amountQ96 >> Q96_BITS;
  if (amount << Q96_BITS !== amountQ96) throw new RangeError("the amount of a bid isn't whole");
  return {
    amount,
    owner: `0x${(packed >> (BLOCK_BITS + MPS_BITS)).toString(16).padStart(40, "0")}`,
    startBlock: BigInt.asUintN(Number(BLOCK_BITS), packed >> MPS_BITS),
    startCumulativeMps: BigInt.asUintN(Number(MPS_BITS), packed),
  };
}

function checked(bid: AuctionBid, newest: bigint): AuctionBid {
  const { id, maxPrice, amount, startBlock, startCumulativeMps } = bid;
  if (maxPrice >> PRICE_BITS !== 0n || amount >> AMOUNT_BITS !== 0n) throw new RangeError(`bid ${id} is too large`);
  if (startCumulativeMps >= ALL_MPS) throw new RangeError(`bid ${id} was made when all was issued`);
  if (startBlock > newest) throw new RangeError(`bid ${id} is of block ${startBlock}, after ${newest}`);
  return bid;
}
