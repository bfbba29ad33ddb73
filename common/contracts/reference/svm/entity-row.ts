import { SourceFault } from "../../../chains/base/source-fault.ts";
import { unusableAnswer } from "../../../chains/svm/account-answer.ts";
import { COMMITMENT_LIMITS } from "../../../sale/record/commitment-limits.ts";
import type { SourceAmount, SourceCommitment } from "../../source-commitment.ts";
import type { EntityState, SettlementSale, WalletBinding } from "./account-layout.ts";
import { saysAllocations } from "./check-sale.ts";

/** A commitment without its index, which these chains don't have. */
export type EntityRow = Omit<SourceCommitment, "sourceIndex">;

/** The second half of every commitment ID, as with EVM contracts. The first half is the entity ID. */
const COMMITMENT_ID_PADDING = "0".repeat(32);
const NO_EXTRA_DATA = new Uint8Array();
const NOTHING: readonly SourceAmount[] = [];

export function commitmentIdOf(entityId: string): string {
  return entityId + COMMITMENT_ID_PADDING;
}

/** The entity ID in a commitment ID; undefined if no entity of the program can have that ID. */
export function entityIdOf(commitmentId: string): string | undefined {
  return commitmentId.endsWith(COMMITMENT_ID_PADDING) ? commitmentId.slice(0, 32) : undefined;
}

/**
 * The commitment of an entity; undefined if the bindings don't add up to its amount, or to what is accepted of it, because some
 * are missing or were read at another slot.
 */
export function entityRow(
  state: EntityState,
  bindings: readonly WalletBinding[],
  settlementSale: SettlementSale,
): EntityRow | undefined {
  const { entityId, sale, currentAmount, lastBidTimestamp } = state;
  const { paymentTokenMint: mint } = settlementSale;
  const isForeign = (binding: WalletBinding) => binding.entityId !== entityId || binding.sale !== sale;
  if (bindings.some(isForeign))
    throw unusableAnswer(`a wallet binding of entity 0x${entityId} belongs to another entity`);
  if (bindings.reduce((sum, { contributed }) => sum + contributed, 0n) !== currentAmount) return undefined;
  if (lastBidTimestamp < 0n || lastBidTimestamp > COMMITMENT_LIMITS.lastCreatedAtSeconds) {
    const message = `entity 0x${entityId} has the bid time ${lastBidTimestamp}, which isn't between 1970 and 9999`;
    throw new SourceFault(message, { remedy: "mend" });
  }
  const accepted = saysAllocations(settlementSale) ? acceptedOf(state, bindings, mint) : NOTHING;
  if (accepted === undefined) return undefined;
  return {
    commitmentId: commitmentIdOf(entityId),
    entityId,
    createdAtSeconds: lastBidTimestamp,
    priceTicks: state.currentPrice,
    lockup: state.lockup,
    refunded: state.refunded,
    // `contributed` excludes cancelled amounts, as the sums confirm. Wallets without an amount are left out, because the
    // sums can't confirm that all of them were read.
    amounts: bindings
      .filter(({ contributed }) => contributed > 0n)
      .map(({ wallet, contributed }) => ({ wallet, token: mint, amount: contributed })),
    extraData: NO_EXTRA_DATA,
    ...(accepted.length > 0 && { accepted }),
  };
}

/** Returns what is accepted of each wallet; undefined if a binding is too short to say it, or they don't add up to the entity's. */
function acceptedOf(
  state: EntityState,
  bindings: readonly WalletBinding[],
  mint: string,
): readonly SourceAmount[] | undefined {
  const amounts: SourceAmount[] = [];
  let sum = 0n;
  for (const { wallet, accepted } of bindings) {
    if (accepted === undefined) return undefined;
    sum += accepted;
    if (accepted > 0n) amounts.push({ wallet, token: mint, amount: accepted });
  }
  return sum === state.accepted ? amounts : undefined;
}
