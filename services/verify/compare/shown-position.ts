import type { PresentedCommitment } from "../../commitments/domain/figures/commitment-data.ts";
import type { ClearingOutcome, NotCounted } from "../../commitments/domain/figures/position.ts";

/** A commitment of a wallet, as Tidemark shows it to whoever looks the wallet up. */
export interface ShownEntry {
  readonly commitment: PresentedCommitment;
  readonly counted: boolean;
  /** Absent for a commitment that counts. */
  readonly notCounted?: NotCounted;
  /** Absent for a commitment that doesn't count, and at a fixed price. */
  readonly outcome?: ClearingOutcome;
}

/** Everything that Tidemark shows of one wallet. */
export interface ShownPosition {
  /** In its canonical form. */
  readonly wallet: string;
  readonly entries: readonly ShownEntry[];
}
