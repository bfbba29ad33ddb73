import { type Account, type Address, encodeAbiParameters, getAddress, type Hex, toHex } from "viem";
import type { Permit } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";

/** A purchase permit of version 3, as the contract takes it. */
export interface PurchasePermit {
  /** 16 bytes. */
  readonly saleSpecificEntityID: Hex;
  /** 16 bytes. */
  readonly saleUUID: Hex;
  readonly wallet: Address;
  /** Seconds since 1970, as all times here. */
  readonly expiresAt: bigint;
  readonly minAmount: bigint;
  readonly maxAmount: bigint;
  readonly minPrice: bigint;
  readonly maxPrice: bigint;
  readonly opensAt: bigint;
  readonly closesAt: bigint;
  readonly payload: Hex;
}

/** A bid by permit; `amount` is the entity's new total. */
export interface PermitBid {
  readonly lockup: boolean;
  readonly price: bigint;
  readonly amount: bigint;
}

const COMPONENTS = [
  { name: "saleSpecificEntityID", type: "bytes16" },
  { name: "saleUUID", type: "bytes16" },
  { name: "wallet", type: "address" },
  { name: "expiresAt", type: "uint64" },
  { name: "minAmount", type: "uint256" },
  { name: "maxAmount", type: "uint256" },
  { name: "minPrice", type: "uint64" },
  { name: "maxPrice", type: "uint64" },
  { name: "opensAt", type: "uint64" },
  { name: "closesAt", type: "uint64" },
  { name: "payload", type: "bytes" },
] as const;

export const MAX_UINT256 = 2n ** 256n - 1n;
/** keccak256("PURCHASE_PERMIT_SIGNER_ROLE"), as the facts about the reference contract give it. */
export const SIGNER_ROLE = "0xb0162d5e61a8d5e2c26413420aa1072eaa0a79f8be9b289410cf8a1b65ce5386";

/** `abi.encode(bool forcedLockup)` */
export function lockupPayload(forcedLockup: boolean): Hex {
  return encodeAbiParameters([{ type: "bool" }], [forcedLockup]);
}

/** Signs a permit with viem alone, to compare with. */
export async function signPermit(
  account: Pick<Account, "address"> & { signMessage?: Account["signMessage"] },
  permit: PurchasePermit,
): Promise<Hex> {
  if (account.signMessage === undefined) throw new Error(`${account.address} has no key here`);
  return account.signMessage({ message: { raw: encodedPermit(permit) } });
}

/** The bytes that are signed, by viem alone. */
export function encodedPermit(permit: PurchasePermit): Hex {
  return encodeAbiParameters([{ type: "tuple", components: COMPONENTS }], [permit]);
}

/** A permit and its signature as PurchasePermitHook takes them. */
export function permitHookData(permit: PurchasePermit, signature: Hex): Hex {
  return encodeAbiParameters([{ type: "tuple", components: COMPONENTS }, { type: "bytes" }], [permit, signature]);
}

/** Converts a permit of the entities service to that which the contract takes. */
export function purchasePermitOf(issued: Permit): PurchasePermit {
  const { saleSpecificEntityId, saleUuid, wallet, minAmount, maxAmount, payload, $typeName, ...numbers } = issued;
  return {
    saleSpecificEntityID: toHex(saleSpecificEntityId),
    saleUUID: toHex(saleUuid),
    wallet: getAddress(wallet),
    minAmount: BigInt(minAmount),
    maxAmount: BigInt(maxAmount),
    payload: toHex(payload),
    expiresAt: numbers.expiresAt,
    minPrice: numbers.minPrice,
    maxPrice: numbers.maxPrice,
    opensAt: numbers.opensAt,
    closesAt: numbers.closesAt,
  };
}
