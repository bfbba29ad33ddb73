import { COMMITMENT_LIMITS } from "../../shared/commitment-record/commitment-limits.ts";
import { type SourceCommitment, SourceFault } from "../source/source-reader.ts";
import { unusableAnswer } from "./account-answer.ts";
import type { EntityState, WalletBinding } from "./account-layout.ts";

/** A commitment without its index, which the chain doesn't give. */
export type EntityRow = Omit<SourceCommitment, "sourceIndex">;

/** What stands behind the entity ID in a commitment ID, as with the EVM contracts. */
const COMMITMENT_ID_PADDING = "0".repeat(32);
const NO_EXTRA_DATA = new Uint8Array();

export function commitmentIdOf(entityId: string): string {
  return entityId + COMMITMENT_ID_PADDING;
}

/** Nothing for a commitment ID that no entity of the program has. */
export function entityIdOf(commitmentId: string): string | undefined {
  return commitmentId.endsWith(COMMITMENT_ID_PADDING) ? commitmentId.slice(0, 32) : undefined;
}

/** Nothing where the bindings don't add up to the entity's amount: then some of them are missing, or of another slot. */
export function entityRow(state: EntityState, bindings: readonly WalletBinding[], mint: string): EntityRow | undefined {
  const { entityId, sale, currentAmount, lastBidTimestamp } = state;
  const isForeign = (binding: WalletBinding) => binding.entityId !== entityId || binding.sale !== sale;
  if (bindings.some(isForeign))
    throw unusableAnswer(`a wallet binding of entity 0x${entityId} belongs to another entity`);
  if (bindings.reduce((sum, { contributed }) => sum + contributed, 0n) !== currentAmount) return undefined;
  if (lastBidTimestamp < 0n || lastBidTimestamp > COMMITMENT_LIMITS.lastCreatedAtSeconds) {
    const message = `entity 0x${entityId} has the bid time ${lastBidTimestamp}, which is no time from 1970 to 9999`;
    throw new SourceFault(message, { remedy: "mend" });
  }
  return {
    commitmentId: commitmentIdOf(entityId),
    entityId,
    createdAtSeconds: lastBidTimestamp,
    priceTicks: state.currentPrice,
    lockup: state.lockup,
    refunded: state.refunded,
    // `contributed` is what is in the bid now: what was cancelled is no longer part of it, as the sums show. Wallets that
    // hold nothing are left out: they are listed nowhere, and the sums can't show whether all of them were read.
    amounts: bindings
      .filter(({ contributed }) => contributed > 0n)
      .map(({ wallet, contributed }) => ({ wallet, token: mint, amount: contributed })),
    extraData: NO_EXTRA_DATA,
  };
}
