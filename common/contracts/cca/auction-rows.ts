import type { SourceCommitment } from "../source-commitment.ts";
import type { AuctionBid } from "./decode-bids.ts";
import { ALL_MPS } from "./fills/checkpoint.ts";

const Q96_BITS = 96n;
const ID_DIGITS = 64;
const NOTHING = new Uint8Array();

/** Facts in the row of a bid that the bid itself lacks. */
export interface RowFacts {
  /** Lower-case address. */
  readonly currency: string;
  /** Entity of the bid's owner: 32 lower-case hex digits. */
  readonly entityId: string;
  /** Time of the bid's start block, in seconds since 1970. */
  readonly timeSeconds: bigint;
}

/** Returns the commitment of a bid. Its price is in ticks of 1/2^96, and so is its demand. */
export function rowOfBid(bid: AuctionBid, { currency, entityId, timeSeconds }: RowFacts): SourceCommitment {
  const { id, maxPrice, amount, owner } = bid;
  return {
    commitmentId: bidId(id),
    entityId,
    createdAtSeconds: timeSeconds,
    priceTicks: maxPrice,
    lockup: false,
    refunded: false,
    amounts: [{ wallet: owner, token: currency, amount }],
    extraData: NOTHING,
    sourceIndex: id,
    demand: demandOf(bid),
  };
}

/** Returns the commitment ID of a bid's number: 64 lower-case hex digits. */
export function bidId(id: bigint): string {
  return id.toString(16).padStart(ID_DIGITS, "0");
}

/** The effective demand of a bid, which it keeps for good: its amount, spread over what was still to be issued. Times 2^96. */
function demandOf({ amount, startCumulativeMps }: AuctionBid): bigint {
  return ((amount << Q96_BITS) * ALL_MPS) / (ALL_MPS - startCumulativeMps);
}
