import type { SignedPermit } from "../../../client/index.ts";

/** A bid by permit in the demo's auction. */
export interface PermitBid {
  /** The payment token's address. */
  readonly token: string;
  /** The entity's total after the bid, in the token's smallest units. */
  readonly amount: bigint;
  readonly priceTicks: bigint;
  readonly permit: SignedPermit;
}

/** A transaction that the chain has confirmed. */
export interface ConfirmedTransaction {
  /** Contract, function and arguments, as a reader understands them. */
  readonly call: string;
  readonly hash: string;
  readonly block: bigint;
}

/** A wallet with a key of its own on the demo's chain, where gas costs nothing. */
export interface TestWallet {
  /** With its checksum. */
  readonly address: string;
  /**
   * Mints the tokens, lets the contract take them, and bids: three transactions.
   *
   * @param onConfirmed is called after each
   * @throws Error with the contract's reason if it refuses
   */
  bid(bid: PermitBid, onConfirmed: (transaction: ConfirmedTransaction) => void): Promise<void>;
}

/** Makes a new wallet. */
export type NewWallet = () => Promise<TestWallet>;
