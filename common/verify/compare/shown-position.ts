import type { PresentedCommitment } from "../../sale/figures/commitment-data.ts";
import type { ClearingOutcome, NotCounted } from "../../sale/figures/position.ts";

/** A commitment of a wallet, as Tidemark shows it to whoever looks the wallet up. */
export interface ShownEntry {
  readonly commitment: PresentedCommitment;
  readonly counted: boolean;
  /** Absent for a commitment that counts. */
  readonly notCounted?: NotCounted;
  /** Absent for a commitment that doesn't count, and at a fixed price. */
  readonly outcome?: ClearingOutcome;
}

/** The part of the wallet's amount that is accepted for one entity, and what was paid back; normalised. */
export interface ShownAllocation {
  /** 32 lower-case hex digits. */
  readonly entityId: string;
  readonly token: string;
  readonly accepted: bigint;
  readonly refunded?: bigint;
}

/** The figures that Tidemark shows of one wallet. */
export interface ShownPosition {
  /** In its canonical form. */
  readonly wallet: string;
  readonly entries: readonly ShownEntry[];
  /** Absent as long as nobody is shown what is accepted. */
  readonly allocations?: readonly ShownAllocation[];
}
