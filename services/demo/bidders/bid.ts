/** A simulated bidder's commitment. As in the reference contract, each entity has one. */
export interface Bid {
  /** Number of the entity, counted from 0. */
  readonly entity: number;
  readonly createdAtSeconds: bigint;
  readonly priceTicks: bigint;
  readonly refunded: boolean;
  /** Amounts in smallest units, by wallet number and token. */
  readonly amounts: readonly { readonly wallet: number; readonly token: string; readonly amount: bigint }[];
}
