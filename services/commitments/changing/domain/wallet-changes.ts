import type { CommitmentOfWallet } from "../../../../common/sale/record/commitment.ts";

/** The changes that a batch of commitments makes to the commitments of each wallet. */
export class WalletChanges {
  readonly added: CommitmentOfWallet[] = [];
  readonly removed: CommitmentOfWallet[] = [];

  /** Replaces the wallets of a commitment. @param before empty for a new one @param after empty for one that is removed */
  replace(commitmentId: string, before: readonly string[], after: readonly string[]): void {
    for (const wallet of after) if (!before.includes(wallet)) this.added.push({ wallet, commitmentId });
    for (const wallet of before) if (!after.includes(wallet)) this.removed.push({ wallet, commitmentId });
  }
}
