import type { ChainFamily } from "../../../common/chains/base/chain-family.ts";
import { MAX_JSON_INTEGER, type Permit } from "../../../common/chains/base/permit.ts";
import { permitFormat } from "../../../common/chains/permit-encoding.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { ReadyParticipation } from "../eligibility/decide.ts";
import type { ParticipationSubject } from "../eligibility/load-facts.ts";

/**
 * Makes the permit of a decision. Where there is no bound, it has the greatest number that its place takes.
 *
 * @param expiresAt Unix seconds
 */
export function permitOf(
  { sale, entity, wallet }: Pick<ParticipationSubject, "sale" | "entity" | "wallet">,
  { limits, payload }: Pick<ReadyParticipation, "limits" | "payload">,
  expiresAt: bigint,
): Permit {
  return {
    saleSpecificId: entity.saleSpecificId,
    saleUuid: bytesOfHex(sale.saleUuid),
    wallet: wallet.bytes,
    expiresAt,
    minAmount: limits.minAmount,
    maxAmount: limits.maxAmount ?? permitFormat(wallet.kind).maxAmount,
    minPrice: limits.minPrice,
    maxPrice: limits.maxPrice ?? MAX_JSON_INTEGER,
    opensAt: limits.opensAt,
    closesAt: limits.closesAt ?? MAX_JSON_INTEGER,
    payload: payload === "none" ? new Uint8Array() : lockupPayload(wallet.kind, limits.forcedLockup),
  };
}

/** Encodes `(bool forcedLockup)` as the contracts of the wallet's family of chains read it. */
function lockupPayload(family: ChainFamily, forcedLockup: boolean): Uint8Array {
  const bytes = new Uint8Array(permitFormat(family).lockupBytes);
  if (forcedLockup) bytes[bytes.length - 1] = 1;
  return bytes;
}
