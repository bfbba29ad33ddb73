import type { Wallet } from "../../../common/chains/wallet.ts";

/** Texts that an account may ask for within the lifetime of one. */
export const MAX_CHALLENGES = 30;
/** Wallets that may be linked to one entity. More than any sale lets an entity use at the bounds of reason. */
export const MAX_LINKED_WALLETS = 50;

/** A text that was given out to be signed, for one session of one account. Times are milliseconds since 1970. */
export interface LinkChallenge {
  readonly entityUuid: string;
  readonly accountUuid: string;
  readonly sessionUuid: string;
  readonly wallet: Wallet;
  /** The EIP-155 chain ID; 0 for a wallet whose chains have none. */
  readonly chainId: bigint;
  readonly text: string;
  readonly createdAtMs: bigint;
  readonly expiresAtMs: bigint;
}
