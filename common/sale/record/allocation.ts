/** The raw amount of a token that a sale accepts of a wallet of an entity. */
export interface Allocation {
  /** 32 lower-case hex digits. */
  readonly entityId: string;
  /** In canonical form, like `token`. */
  readonly wallet: string;
  readonly token: string;
  /** Smallest units of `token`, 1 to 2^256-1. */
  readonly accepted: bigint;
}
