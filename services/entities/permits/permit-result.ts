import type { FailureReason } from "../eligibility/decide.ts";
import type { Permit } from "../permit-encoding/permit.ts";
import type { Wallet } from "../wallets/wallet.ts";

/** A permit as its wallet uses it. */
export interface IssuedPermit {
  readonly permit: Permit;
  readonly wallet: Wallet;
  /** EVM: 65 bytes, r, s and v; SVM: 64 bytes. */
  readonly signature: Uint8Array;
}

/** Why there is no permit. */
export interface RefusedPermit {
  readonly refused: FailureReason;
}

export type PermitResult = IssuedPermit | RefusedPermit;
