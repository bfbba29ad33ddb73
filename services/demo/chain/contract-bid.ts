import { Buffer } from "node:buffer";
import type { Bid } from "../bidders/bid.ts";
import { entityId, entityNumber, isSimulated, walletAddress } from "../bidders/bid-identity.ts";

type Hex = `0x${string}`;

/** The input of `bid` in test/contracts/PermitSale.sol: the price replaces the previous one, amounts are added. */
export interface ContractBid {
  /** 16 bytes. */
  readonly entity: Hex;
  readonly price: bigint;
  readonly lockup: boolean;
  /** The amounts to add, at least one. */
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

/** The contract's input that turns an entity's previous bid into `bid`. Price and amounts must not have fallen. */
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
    // The contract requires one. If only the price has risen, it is an amount of 0.
    added: grown.length > 0 ? grown : amounts.slice(0, 1),
    extraData: "0x",
  };
}

/** Returns the rows of simulated bidders, without those of people who bid with a permit. */
export function simulatedRows<Row extends Pick<ContractRow, "saleSpecificEntityID">>(rows: readonly Row[]): Row[] {
  return rows.filter(({ saleSpecificEntityID: id }) => isSimulated(Buffer.from(id.slice(2), "hex")));
}

/** The bid in a row of the contract, which lists an entity's pairs in the order of its wallets. */
export function bidOfRow({ saleSpecificEntityID, timestamp, price, refunded, amounts }: ContractRow): Bid {
  return {
    entity: entityNumber(Buffer.from(saleSpecificEntityID.slice(2), "hex")),
    createdAtSeconds: timestamp,
    priceTicks: price,
    refunded,
    amounts: amounts.map(({ token, amount }, wallet) => ({ wallet, token: token.toLowerCase(), amount })),
  };
}
