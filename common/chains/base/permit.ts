/** A purchase permit of version 3: the bounds within which one wallet may bid for one entity of a sale. */
export interface Permit {
  /** 16 bytes. */
  readonly saleSpecificId: Uint8Array;
  /** 16 bytes. */
  readonly saleUuid: Uint8Array;
  /** The wallet that bids: 20 bytes on EVM, 32 on Solana. */
  readonly wallet: Uint8Array;
  /** Unix seconds, as all times here. A contract refuses the permit from this second on. */
  readonly expiresAt: bigint;
  /** The least and the greatest total of the entity, in smallest payment units. */
  readonly minAmount: bigint;
  readonly maxAmount: bigint;
  /** Bounds of a bid's price, in price ticks. */
  readonly minPrice: bigint;
  readonly maxPrice: bigint;
  /** The window in which bids are accepted: `[opensAt, closesAt)`. */
  readonly opensAt: bigint;
  readonly closesAt: bigint;
  /** Further data that the sale's contract expects; often empty. */
  readonly payload: Uint8Array;
}

/** The sizes that differ between the families of chains. */
export interface PermitFormat {
  readonly walletBytes: number;
  /** Bytes of the payload `(bool forcedLockup)`: a word of an ABI, or a byte of Borsh. Its last one is the answer. */
  readonly lockupBytes: number;
  /** The greatest amount that a contract can read: it stands for "no bound", too. */
  readonly maxAmount: bigint;
}

/** The greatest price or time: applications are given these as JSON numbers, which are exact up to here. */
export const MAX_JSON_INTEGER = 2n ** 53n - 1n;
export const EVM_PERMIT_FORMAT: PermitFormat = { walletBytes: 20, lockupBytes: 32, maxAmount: 2n ** 256n - 1n };
export const SVM_PERMIT_FORMAT: PermitFormat = { walletBytes: 32, lockupBytes: 1, maxAmount: 2n ** 64n - 1n };

const ID_BYTES = 16;
const NUMBERS = ["expiresAt", "minPrice", "maxPrice", "opensAt", "closesAt"] as const;

/** Refuses a permit that can't be encoded exactly. @throws RangeError naming the field; that is a mistake of the caller */
export function checkPermit(permit: Permit, { walletBytes, maxAmount }: PermitFormat): void {
  requireLength("saleSpecificId", permit.saleSpecificId, ID_BYTES);
  requireLength("saleUuid", permit.saleUuid, ID_BYTES);
  requireLength("wallet", permit.wallet, walletBytes);
  for (const field of NUMBERS) requireBetween(field, permit[field], 0n, MAX_JSON_INTEGER);
  requireBetween("minAmount", permit.minAmount, 0n, permit.maxAmount);
  requireBetween("maxAmount", permit.maxAmount, 0n, maxAmount);
}

function requireLength(field: string, bytes: Uint8Array, length: number): void {
  if (bytes.length !== length) throw new RangeError(`permit: ${field} must have ${length} bytes, has ${bytes.length}`);
}

function requireBetween(field: string, value: bigint, least: bigint, greatest: bigint): void {
  if (value < least || value > greatest) throw new RangeError(`permit: ${field} must be ${least} to ${greatest}`);
}
