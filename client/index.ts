/**
 * The client for applications and pages: a sale's public figures, sign-in, and the calls for a user who has signed in.
 *
 * @module
 */
export type {
  Commitment,
  CommitmentData,
  Difference,
  Digits,
  FeedState,
  Hex,
  Totals,
  WalletTokenAmount,
} from "./commitment-data.ts";
export { withDifference } from "./commitment-data.ts";
export { type Connection, type FollowOptions, follow, type Snapshot } from "./follow.ts";
export { readCommitmentData, readPosition, readSale } from "./public-read.ts";
export type { CallOptions, Server } from "./request.ts";
export type {
  OfferedToken,
  PaymentToken,
  Position,
  PositionAllocation,
  PositionCommitment,
  PositionRequest,
  Sale,
  SaleContract,
  SaleFacts,
  SaleStage,
} from "./sale.ts";
export {
  type Application,
  type AuthorizeOptions,
  beginSignIn,
  codeChallenge,
  exchangeCode,
  readCallback,
  refreshTokens,
  revokeToken,
  type SignInAttempt,
  type Tokens,
} from "./sign-in.ts";
export { TidemarkError, type TidemarkErrorOptions } from "./tidemark-error.ts";
export {
  type AccessToken,
  type Entity,
  type EntityRequest,
  type EntitySetupState,
  type FailureReason,
  type Investment,
  type Limits,
  type LimitsRequest,
  type Permit,
  type Profile,
  type PurchaseCheck,
  type PurchaseRequest,
  type SaleEligibility,
  type SignedPermit,
  UserCalls,
} from "./user-calls.ts";
