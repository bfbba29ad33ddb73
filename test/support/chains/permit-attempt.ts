import type { Address, Hex, PrivateKeyAccount } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { entityOf } from "../databases/sale-rows.ts";
import { lockupPayload, type PermitBid, type PurchasePermit } from "./purchase-permit.ts";

export const PERMIT_SALE_UUID = "0x11111111111141118111111111111111";
/** The chain's time, in seconds since 1970. */
export const NOW = 1_704_060_100n;
/** Has the role. */
export const PERMIT_SIGNER = privateKeyToAccount(`0x${"5a".repeat(32)}`);
/** Has not. */
const STRANGER = privateKeyToAccount(`0x${"77".repeat(32)}`);
const NO_TOKEN: Address = `0x${"99".repeat(20)}`;
/** The order of secp256k1. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** An entity's bid before an attempt. */
export interface PriorBid {
  readonly amount: bigint;
  readonly price: bigint;
  readonly lockup: boolean;
  readonly refunded: boolean;
}

/** An attempt to bid by permit, and the state of the contract that it meets. */
export interface Attempt {
  permit: PurchasePermit;
  bid: PermitBid;
  token: Address;
  signer: PrivateKeyAccount;
  /** Changes the signature. */
  spoil(signature: Hex): Hex;
  prior?: PriorBid;
  /** Whether the wallet has bid for another entity. */
  tied: boolean;
  /** Whether as many other wallets as allowed have bid for the entity. */
  full: boolean;
  hasApproved: boolean;
  stage: number;
  paused: boolean;
}

/** A violated rule of the contract. */
export interface Violation {
  /** The error that it causes. */
  readonly error: string;
  change(attempt: Attempt): void;
  /** Rules of one group can't be violated together. */
  readonly group?: "signature" | "payload" | "entity";
}

/** A bid of 1,000 at a price of 10, with a permit for exactly that price. */
export function validAttempt(wallet: Address, token: Address): Attempt {
  return {
    permit: {
      saleSpecificEntityID: entityOf(1),
      saleUUID: PERMIT_SALE_UUID,
      wallet,
      expiresAt: NOW + 1n,
      minAmount: 1_000n,
      maxAmount: 1_000n,
      minPrice: 10n,
      maxPrice: 10n,
      opensAt: NOW,
      closesAt: NOW + 1n,
      payload: lockupPayload(false),
    },
    bid: { lockup: false, price: 10n, amount: 1_000n },
    token,
    signer: PERMIT_SIGNER,
    spoil: (signature) => signature,
    tied: false,
    full: false,
    hasApproved: true,
    stage: 1,
    paused: false,
  };
}

/** A change of the permit, which is signed afterwards. */
export function permitted(change: Partial<PurchasePermit>): (attempt: Attempt) => void {
  return (attempt) => {
    attempt.permit = { ...attempt.permit, ...change };
  };
}

function prior(change: Partial<PriorBid>): (attempt: Attempt) => void {
  return (attempt) => {
    attempt.prior = { amount: 10n, price: 1n, lockup: false, refunded: false, ...attempt.prior, ...change };
  };
}

function spoilt(spoil: Attempt["spoil"]): (attempt: Attempt) => void {
  return (attempt) => {
    attempt.spoil = spoil;
  };
}

function assigned(change: Partial<Attempt>): (attempt: Attempt) => void {
  return (attempt) => {
    Object.assign(attempt, change);
  };
}

/** Every rule, in the order of the contract's checks. */
export const VIOLATIONS: readonly Violation[] = [
  { error: "InvalidStage", change: assigned({ stage: 2 }) },
  { error: "SalePaused", change: assigned({ paused: true }) },
  { error: "InvalidSaleUUID", change: permitted({ saleUUID: `0x${"22".repeat(16)}` }) },
  { error: "PurchasePermitExpired", change: permitted({ expiresAt: NOW }) },
  { error: "InvalidSender", change: permitted({ wallet: STRANGER.address }) },
  { error: "ECDSAInvalidSignatureLength", change: spoilt((text) => cut(text)), group: "signature" },
  { error: "ECDSAInvalidSignatureS", change: spoilt(twin), group: "signature" },
  { error: "ECDSAInvalidSignature", change: spoilt((text) => `${cut(text)}1d`), group: "signature" },
  { error: "UnauthorizedSigner", change: assigned({ signer: STRANGER }), group: "signature" },
  { error: "InvalidPaymentToken", change: assigned({ token: NO_TOKEN }) },
  { error: "BidOutsideAllowedWindow", change: permitted({ closesAt: NOW }) },
  { error: "ZeroAmount", change: (attempt) => assigned({ bid: { ...attempt.bid, amount: 0n } })(attempt) },
  { error: "BidPriceExceedsMaxPrice", change: permitted({ maxPrice: 9n }) },
  { error: "BidPriceBelowMinPrice", change: permitted({ minPrice: 11n }) },
  { error: "BidBelowMinAmount", change: permitted({ minAmount: 1_001n }) },
  { error: "BidExceedsMaxAmount", change: permitted({ maxAmount: 999n }) },
  { error: "no named error", change: permitted({ payload: "0x" }), group: "payload" },
  { error: "BidMustHaveLockup", change: permitted({ payload: lockupPayload(true) }), group: "payload" },
  { error: "AlreadyRefunded", change: prior({ refunded: true }) },
  { error: "BidAmountCannotBeLowered", change: prior({ amount: 1_001n }) },
  { error: "BidPriceCannotBeLowered", change: prior({ price: 11n }) },
  { error: "BidLockupCannotBeUndone", change: prior({ lockup: true }) },
  { error: "ZeroEntityID", change: permitted({ saleSpecificEntityID: entityOf(0) }), group: "entity" },
  { error: "WalletTiedToAnotherEntity", change: assigned({ tied: true }) },
  { error: "MaxWalletsPerEntityExceeded", change: assigned({ full: true }), group: "entity" },
  { error: "SafeERC20FailedOperation", change: assigned({ hasApproved: false }) },
];

/** Without the last byte. */
function cut(signature: Hex): Hex {
  return signature.slice(0, -2) as Hex;
}

/** The other signature of the same message, with the high `s`. */
function twin(signature: Hex): Hex {
  const s = ORDER - BigInt(`0x${signature.slice(66, 130)}`);
  const v = signature.slice(130) === "1b" ? "1c" : "1b";
  return `${signature.slice(0, 66) as Hex}${s.toString(16).padStart(64, "0")}${v}`;
}
