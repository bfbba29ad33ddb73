import { Buffer } from "node:buffer";
import { entityId, entityNumber, walletAddress } from "./bid-identity.ts";
import type { Bid } from "./crowd.ts";

type Hex = `0x${string}`;

/** What `bid` of test/contracts/AuctionSale.sol takes: the price replaces the one before, amounts are added. */
export interface ContractBid {
  /** 16 bytes. */
  readonly entity: Hex;
  readonly price: bigint;
  readonly lockup: boolean;
  /** At least one. */
  readonly added: readonly { readonly wallet: Hex; readonly token: Hex; readonly amount: bigint }[];
  readonly extraData: Hex;
}

/** A row of that contract. */
export interface ContractRow {
  readonly saleSpecificEntityID: Hex;
  /** Seconds since 1970. */
  readonly timestamp: bigint;
  readonly price: bigint;
  readonly refunded: boolean;
  readonly amounts: readonly { readonly token: Hex; readonly amount: bigint }[];
}

/** What turns an entity's last bid into the next: whose price and amounts never fall. */
export function contractBid(bid: Bid, before: Bid | undefined): ContractBid {
  const amounts = bid.amounts.map(({ wallet, token, amount }, index) => ({
    wallet: walletAddress(bid.entity, wallet),
    token: token as Hex,
    amount: amount - (before?.amounts[index]?.amount ?? 0n),
  }));
  const grown = amounts.filter(({ amount }) => amount > 0n);
  return {
    entity: `0x${Buffer.from(entityId(bid.entity)).toString("hex")}`,
    price: bid.priceTicks,
    lockup: false,
    // The contract wants one at least, of nothing where only the price has risen.
    added: grown.length > 0 ? grown : amounts.slice(0, 1),
    extraData: "0x",
  };
}

/** The bid that a row shows. The contract lists an entity's pairs in the order of its wallets. */
export function bidOfRow({ saleSpecificEntityID, timestamp, price, refunded, amounts }: ContractRow): Bid {
  return {
    entity: entityNumber(Buffer.from(saleSpecificEntityID.slice(2), "hex")),
    createdAtSeconds: timestamp,
    priceTicks: price,
    refunded,
    amounts: amounts.map(({ token, amount }, wallet) => ({ wallet, token: token.toLowerCase(), amount })),
  };
}
