import { MAX_JSON_INTEGER, type Permit } from "../../../common/chains/base/permit.ts";
import { PERMIT_FORMATS } from "../../../common/chains/encode-permit.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { WalletKindName } from "../base/wallet-tables.ts";
import type { ReadyParticipation } from "../eligibility/decide.ts";
import type { ParticipationSubject } from "../eligibility/gather-facts.ts";

const ABI_WORD_BYTES = 32;

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
    maxAmount: limits.maxAmount ?? PERMIT_FORMATS[wallet.kind].maxAmount,
    minPrice: limits.minPrice,
    maxPrice: limits.maxPrice ?? MAX_JSON_INTEGER,
    opensAt: limits.opensAt,
    closesAt: limits.closesAt ?? MAX_JSON_INTEGER,
    payload: payload === "none" ? new Uint8Array() : lockupPayload(wallet.kind, limits.forcedLockup),
  };
}

/** `abi.encode((bool forcedLockup))` on EVM; Borsh of the same, a byte, on Solana. */
function lockupPayload(kind: WalletKindName, forcedLockup: boolean): Uint8Array {
  const bytes = new Uint8Array(kind === "evm" ? ABI_WORD_BYTES : 1);
  if (forcedLockup) bytes[bytes.length - 1] = 1;
  return bytes;
}
