import { ed25519 } from "@noble/curves/ed25519";
import { readBorshPermit } from "./borsh-permit.ts";

/** A transaction that bids: the message of its ed25519 instruction, and the bid. */
export interface SvmBid {
  readonly message: Uint8Array;
  /** 64 bytes. */
  readonly signature: Uint8Array;
  /** The bidder's public key in hex, whose signature the transaction has. */
  readonly bidder: string;
  /** The entity's new total. */
  readonly amount: bigint;
  readonly price: bigint;
  readonly lockup: boolean;
}

/** The state of the program when it meets a bid. */
export interface SvmSaleAccount {
  /** `permit_signer`, 32 bytes. */
  readonly permitSigner: Uint8Array;
  /** Hex. */
  readonly saleUuid: string;
  /** The cluster's clock, in seconds since 1970. */
  readonly now: bigint;
}

/**
 * Returns the error with which the reference program refuses a first bid, as far as that depends on the permit; `accepted` if
 * there is none. A model by the program's published interface, because the program itself can't be had.
 */
export function judgeSvmBid(sale: SvmSaleAccount, bid: SvmBid): string {
  // Solana verifies strictly (RFC 8032), and so without the additions of ZIP 215.
  if (!ed25519.verify(bid.signature, bid.message, sale.permitSigner, { zip215: false })) return "UnauthorizedSigner";
  const permit = readBorshPermit(bid.message);
  const rules: readonly (readonly [boolean, string])[] = [
    [permit.wallet !== bid.bidder, "InvalidWallet"],
    [permit.saleUuid !== sale.saleUuid, "InvalidSaleUuid"],
    [sale.now >= permit.expiresAt, "PermitExpired"],
    [sale.now < permit.opensAt, "BidTooEarly"],
    [sale.now >= permit.closesAt, "BidTooLate"],
    [bid.amount === 0n, "ZeroAmount"],
    [bid.amount < permit.minAmount, "BidBelowMinAmount"],
    [bid.amount > permit.maxAmount, "BidExceedsMaxAmount"],
    [bid.price < permit.minPrice, "PriceBelowMinPrice"],
    [bid.price > permit.maxPrice, "PriceExceedsMaxPrice"],
    [permit.payload === "01" && !bid.lockup, "BidMustHaveLockup"],
  ];
  return rules.find(([isViolated]) => isViolated)?.[1] ?? "accepted";
}
