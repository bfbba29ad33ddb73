import { checkPermit, type Permit, SVM_PERMIT_FORMAT } from "../base/permit.ts";

const U64_BYTES = 8;
const U32_BYTES = 4;

/**
 * Encodes a permit as Borsh does, without discriminator or prefix: 124 bytes and the payload. These bytes are signed.
 *
 * @throws RangeError for a field that doesn't fit
 */
export function encodeSvmPermit(permit: Permit): Uint8Array {
  checkPermit(permit, SVM_PERMIT_FORMAT);
  const { saleSpecificId, saleUuid, wallet, payload } = permit;
  const numbers = [
    permit.expiresAt,
    permit.minAmount,
    permit.maxAmount,
    permit.minPrice,
    permit.maxPrice,
    permit.opensAt,
    permit.closesAt,
  ];
  return Buffer.concat([saleSpecificId, saleUuid, wallet, ...numbers.map(u64), u32(payload.length), payload]);
}

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(U64_BYTES);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(U32_BYTES);
  bytes.writeUInt32LE(value);
  return bytes;
}
