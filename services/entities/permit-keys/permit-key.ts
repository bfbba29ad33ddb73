import type { ChainFamily } from "../../../common/chains/base/chain-family.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { PERMIT_LIFETIME_MS } from "../base/lifetimes.ts";

/** `next` doesn't sign yet, `active` signs, `retired` signs no more. */
export type PermitKeyStatus = "next" | "active" | "retired";

/** A key that signs the permits of a sale. */
export interface PermitKey {
  readonly uuid: string;
  readonly saleUuid: string;
  readonly status: PermitKeyStatus;
  readonly kind: ChainFamily;
  /** The name of the chain that it is for. */
  readonly chain: string;
  /** The address of the key. */
  readonly address: Uint8Array;
  /** Whether a remote signer holds the private key. */
  readonly remote: boolean;
  /** The private key, wrapped; absent if a remote signer holds it, and once the key signs no more. */
  readonly privateKey?: Uint8Array;
  readonly createdAtMs: bigint;
  readonly activatedAtMs?: bigint;
  readonly retiredAtMs?: bigint;
}

/** The chain that a sale's contract is on. */
export interface SaleChain {
  readonly kind: ChainFamily;
  readonly chain: string;
}

/** Returns when a permit ends that is made at a time, in Unix seconds. @param nowMs milliseconds since 1970 */
export function permitEnd(nowMs: bigint): bigint {
  return (nowMs + PERMIT_LIFETIME_MS) / 1_000n;
}

/**
 * Refuses a key that would be a second next one.
 *
 * @param keys those of the sale
 * @throws ServiceError `failed_precondition`
 */
export function requireNoNextKey(keys: readonly PermitKey[]): void {
  if (keys.every(({ status }) => status !== "next")) return;
  throw new ServiceError("failed_precondition", "the sale has a next key already: activate it, or delete it first");
}

/**
 * Returns the key to activate; nothing changes if it is active already.
 *
 * @throws ServiceError `not_found`; `failed_precondition` for a retired key, and one for another chain than the sale's
 */
export function requireActivatable(keys: readonly PermitKey[], keyUuid: string, { kind, chain }: SaleChain): PermitKey {
  const key = requireKey(keys, keyUuid);
  if (key.status === "retired")
    throw new ServiceError("failed_precondition", "the key was retired: create another one");
  if (key.kind !== kind || key.chain !== chain)
    throw new ServiceError("failed_precondition", `the key is for the chain ${key.chain}, and the sale is on ${chain}`);
  return key;
}

/**
 * Returns the key to delete.
 *
 * @throws ServiceError `not_found`; `failed_precondition` for the active key, and for a retired one whose last permits may be
 *   valid still
 */
export function requireDeletable(keys: readonly PermitKey[], keyUuid: string, nowMs: bigint): PermitKey {
  const key = requireKey(keys, keyUuid);
  if (key.status === "active")
    throw new ServiceError("failed_precondition", "the key signs permits: activate another one first");
  if (key.retiredAtMs !== undefined && nowMs - key.retiredAtMs < PERMIT_LIFETIME_MS)
    throw new ServiceError("failed_precondition", "its last permits may be valid still: wait ten minutes");
  return key;
}

/** Returns the key that signs permits on a sale's chain now; undefined if there is none, as for a sale without a contract. */
export function activeKeyOf(keys: readonly PermitKey[], { kind, chain }: Partial<SaleChain>): PermitKey | undefined {
  return keys.find((key) => key.status === "active" && key.kind === kind && key.chain === chain);
}

/** @throws ServiceError `not_found` */
export function requireKey(keys: readonly PermitKey[], keyUuid: string): PermitKey {
  const key = keys.find(({ uuid }) => uuid === keyUuid);
  if (key === undefined) throw new ServiceError("not_found", `the sale has no key ${keyUuid}`);
  return key;
}
