import type { Address, Hex } from "viem";
import { type BidInput, type CommitmentRow, TOKENS, type WalletTokenAmount } from "../chains/sale-contract.ts";

/** An entity of 16 bytes that ends in a number. */
export function entityOf(number: number): Hex {
  return `0x${number.toString(16).padStart(32, "0")}`;
}

/** A wallet of 20 bytes that ends in a number. */
export function walletOf(number: number): Address {
  return `0x${"b".repeat(32)}${number.toString(16).padStart(8, "0")}`;
}

/** Amounts; by default 1,000 of the first token from wallet 1. */
export function pair(change: Partial<WalletTokenAmount> = {}): WalletTokenAmount {
  return { wallet: walletOf(1), token: TOKENS[0], amount: 1_000n, ...change };
}

/** A bid, by default of 1,000 at price 10. */
export function bidOf(entity: number, change: Partial<BidInput> = {}): BidInput {
  return { entity: entityOf(entity), price: 10n, lockup: false, added: [pair()], extraData: "0x", ...change };
}

/** A row, by default of 1,000 at price 10. */
export function rowOf(entity: number, change: Partial<CommitmentRow> = {}): CommitmentRow {
  return {
    commitmentID: `0x${entityOf(entity).slice(2).padEnd(64, "0")}`,
    saleSpecificEntityID: entityOf(entity),
    timestamp: 1_769_860_800n,
    price: 10n,
    lockup: false,
    refunded: false,
    amounts: [pair()],
    extraData: "0x",
    ...change,
  };
}
