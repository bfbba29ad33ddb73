import { hexOfBytes } from "../../common/platform/encoding/hex.ts";
import type { Permit, SignedPermit } from "../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import type { JsonObject } from "../web/http/json-body.ts";

/** Returns the body of a signed permit of version 3: amounts are texts, prices in ticks and Unix times are numbers. */
export function permitBody({ permit, signature }: SignedPermit): JsonObject {
  if (permit === undefined) throw new TypeError("SignedPermit.permit is missing");
  return { PermitJSON: permitFields(permit), Signature: hex(signature) };
}

function permitFields(permit: Permit): JsonObject {
  return {
    SaleSpecificEntityID: hex(permit.saleSpecificEntityId),
    SaleUUID: hex(permit.saleUuid),
    Wallet: permit.wallet,
    ExpiresAt: exactNumber(permit.expiresAt),
    MinAmount: permit.minAmount,
    MaxAmount: permit.maxAmount,
    MinPrice: exactNumber(permit.minPrice),
    MaxPrice: exactNumber(permit.maxPrice),
    OpensAt: exactNumber(permit.opensAt),
    ClosesAt: exactNumber(permit.closesAt),
    Payload: hex(permit.payload),
  };
}

/**
 * Converts an integer for JSON.
 *
 * @throws RangeError above 2^53-1, which a reader would round, so that the signature wouldn't fit
 */
function exactNumber(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError(`a permit holds ${value}, above 2^53-1`);
  return Number(value);
}

function hex(bytes: Uint8Array): string {
  return `0x${hexOfBytes(bytes)}`;
}
