import type { Permit } from "../../../common/chains/base/permit.ts";
import type { Wallet } from "../../../common/chains/wallet.ts";
import type { FailureReason } from "../eligibility/decide.ts";

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
