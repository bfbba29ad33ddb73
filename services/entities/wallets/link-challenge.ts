import type { Wallet } from "../../../common/chains/wallet.ts";

const MINUTE_MS = 60_000n;

/** How long a text can be signed. */
export const CHALLENGE_LIFETIME_MS = 10n * MINUTE_MS;
/** Texts that an account may ask for in that time. */
export const MAX_CHALLENGES = 30;
/** Wallets that may be linked to one entity. More than any sale lets an entity use at the bounds of reason. */
export const MAX_LINKED_WALLETS = 50;

/** A text that was given out to be signed, for one session of one account. Times are milliseconds since 1970. */
export interface LinkChallenge {
  readonly entityUuid: string;
  readonly accountUuid: string;
  readonly sessionUuid: string;
  readonly wallet: Wallet;
  /** The EIP-155 chain ID; 0 for an SVM wallet. */
  readonly chainId: bigint;
  readonly text: string;
  readonly createdAtMs: bigint;
  readonly expiresAtMs: bigint;
}
