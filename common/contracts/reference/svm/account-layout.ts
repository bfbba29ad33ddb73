import { Buffer } from "node:buffer";
import { base58 } from "@scure/base";
import { AccountLayoutError } from "../../../chains/svm/account-answer.ts";
import { uuidFromBytes } from "../../../platform/encoding/uuid.ts";

/** The first 8 bytes of accounts of the reference program, which say what kind they are. */
export const DISCRIMINATOR = {
  entityState: Uint8Array.of(92, 218, 188, 5, 237, 215, 13, 253),
  walletBinding: Uint8Array.of(51, 211, 204, 185, 168, 68, 52, 176),
  settlementSale: Uint8Array.of(38, 117, 82, 234, 79, 111, 15, 74),
} as const;

/** Offsets of the fields that lists are filtered by. */
export const ENTITY_SALE_OFFSET = 25;
export const BINDING_SALE_OFFSET = 8;
export const BINDING_ENTITY_OFFSET = 40;
export const ENTITY_ID_BYTES = 16;

/**
 * Smallest sizes of the accounts: up to the end of the last field that is read here. A later version of the program may
 * append fields.
 */
const ENTITY_STATE_BYTES = 100;
const WALLET_BINDING_BYTES = 96;
const SETTLEMENT_SALE_BYTES = 199;
const KEY_BYTES = 32;
const UINT64_BYTES = 8;
const ENTITY_ACCEPTED_OFFSET = 65;
const BINDING_ACCEPTED_OFFSET = 104;
const SALE_ACCEPTED_OFFSET = 207;

/** The bid of an entity. */
export interface EntityState {
  /** 32 lower-case hex digits. */
  readonly entityId: string;
  /** Base58. */
  readonly sale: string;
  /** uint64, smallest units of the payment mint. */
  readonly currentAmount: bigint;
  /** uint64: what the sale accepts of it. */
  readonly accepted: bigint;
  /** uint64, in price ticks. */
  readonly currentPrice: bigint;
  readonly lockup: boolean;
  readonly refunded: boolean;
  /** int64, seconds of Unix time. */
  readonly lastBidTimestamp: bigint;
}

/** The contribution of one wallet to its entity's bid. */
export interface WalletBinding {
  /** Base58. */
  readonly sale: string;
  /** 32 lower-case hex digits. */
  readonly entityId: string;
  /** Base58. */
  readonly wallet: string;
  /** uint64, smallest units of the payment mint. */
  readonly contributed: bigint;
  /** uint64: what the sale accepts of it; absent in an account that is too short for it. */
  readonly accepted?: bigint;
}

export interface SettlementSale {
  /** Canonical text. */
  readonly saleUuid: string;
  /** The public key whose purchase permits the program accepts, base58. No instruction changes it. */
  readonly permitSigner: string;
  /** Base58. */
  readonly paymentTokenMint: string;
  /** 0 to 4 in the reference program; any byte here. */
  readonly stage: number;
  /** uint64: the sum of the amounts of all entities. */
  readonly totalCommitted: bigint;
  /** uint64: the sum of what is accepted of all entities; absent in an account that is too short for it. */
  readonly totalAccepted?: bigint;
}

/** @throws AccountLayoutError */
export function decodeEntityState(data: Uint8Array): EntityState {
  const view = checkedView("EntityState", data, DISCRIMINATOR.entityState, ENTITY_STATE_BYTES);
  return {
    entityId: hexAt(data, 9),
    sale: keyAt(data, ENTITY_SALE_OFFSET),
    currentAmount: view.getBigUint64(57, true),
    accepted: view.getBigUint64(ENTITY_ACCEPTED_OFFSET, true),
    currentPrice: view.getBigUint64(73, true),
    lockup: boolAt(data, 81, "EntityState.lockup"),
    refunded: boolAt(data, 82, "EntityState.refunded"),
    lastBidTimestamp: view.getBigInt64(92, true),
  };
}

/** @throws AccountLayoutError */
export function decodeWalletBinding(data: Uint8Array): WalletBinding {
  const view = checkedView("WalletBinding", data, DISCRIMINATOR.walletBinding, WALLET_BINDING_BYTES);
  return {
    sale: keyAt(data, BINDING_SALE_OFFSET),
    entityId: hexAt(data, BINDING_ENTITY_OFFSET),
    wallet: keyAt(data, 56),
    contributed: view.getBigUint64(88, true),
    ...optional("accepted", view, BINDING_ACCEPTED_OFFSET),
  };
}

/** @throws AccountLayoutError */
export function decodeSettlementSale(data: Uint8Array): SettlementSale {
  const view = checkedView("SettlementSale", data, DISCRIMINATOR.settlementSale, SETTLEMENT_SALE_BYTES);
  return {
    saleUuid: uuidFromBytes(data.subarray(8, 24)),
    permitSigner: keyAt(data, 24),
    paymentTokenMint: keyAt(data, 56),
    stage: view.getUint8(184),
    totalCommitted: view.getBigUint64(191, true),
    ...optional("totalAccepted", view, SALE_ACCEPTED_OFFSET),
  };
}

/** The fields of an EntityState that a poll needs. */
type PeekedEntity = Pick<EntityState, "entityId" | "currentAmount" | "accepted">;

/** Decodes only the three fields of an EntityState that a poll needs, which is cheaper. @throws AccountLayoutError */
export function peekEntityState(data: Uint8Array, sale: Uint8Array): PeekedEntity {
  const view = checkedView("EntityState", data, DISCRIMINATOR.entityState, ENTITY_STATE_BYTES);
  if (!startsWith(data.subarray(ENTITY_SALE_OFFSET), sale)) {
    throw new AccountLayoutError("the EntityState belongs to another sale");
  }
  const accepted = view.getBigUint64(ENTITY_ACCEPTED_OFFSET, true);
  return { entityId: hexAt(data, 9), currentAmount: view.getBigUint64(57, true), accepted };
}

/** Decodes a uint64 that shorter accounts don't have. */
function optional<Name extends string>(
  name: Name,
  view: DataView,
  offset: number,
): { readonly [key in Name]?: bigint } {
  if (view.byteLength < offset + UINT64_BYTES) return {};
  return { [name]: view.getBigUint64(offset, true) } as { readonly [key in Name]?: bigint };
}

function checkedView(kind: string, data: Uint8Array, discriminator: Uint8Array, minBytes: number): DataView {
  if (!startsWith(data, discriminator)) throw new AccountLayoutError(`the account isn't of kind ${kind}`);
  if (data.length < minBytes) {
    throw new AccountLayoutError(`the ${kind} has ${data.length} bytes, ${minBytes} are needed`);
  }
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}

function startsWith(data: Uint8Array, start: Uint8Array): boolean {
  return data.length >= start.length && start.every((byte, index) => data[index] === byte);
}

function keyAt(data: Uint8Array, offset: number): string {
  return base58.encode(data.subarray(offset, offset + KEY_BYTES));
}

function hexAt(data: Uint8Array, offset: number): string {
  return Buffer.from(data.buffer, data.byteOffset + offset, ENTITY_ID_BYTES).toString("hex");
}

/** A boolean in Borsh: 0 or 1. */
function boolAt(data: Uint8Array, offset: number, field: string): boolean {
  const byte = data[offset];
  if (byte !== 0 && byte !== 1) throw new AccountLayoutError(`${field} is neither 0 nor 1`);
  return byte === 1;
}
