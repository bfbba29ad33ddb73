import type { SourcePosition } from "../../chains/base/source-position.ts";
import type { TokenCheck } from "../../chains/base/token-check.ts";
import type { SourceCommitment } from "../../contracts/source-commitment.ts";
import type { SaleStage } from "../../sale/state/stage.ts";

/** A sale as its chain has it, all of it at one block or slot. */
export interface ChainSale {
  /** Host of the node that was asked first. */
  readonly node: string;
  readonly readAt: SourcePosition;
  /** Canonical text; absent if the contract doesn't say it. */
  readonly saleUuid?: string;
  /** Absent if the contract has no stage, or one of unknown number. */
  readonly stage?: SaleStage;
  /** Whether the contract keeps the amounts of a cancelled commitment; absent if its version isn't known. */
  readonly cancelledKeepsAmounts?: boolean;
  /** The tokens that the contract takes; absent if it doesn't say it. */
  readonly paymentTokens?: readonly string[];
  /** Decimals and symbols of the tokens that Tidemark names. */
  readonly tokens: readonly TokenCheck[];
  /** Whether the contract accepts permits of the signer that Tidemark names; absent if it can't be asked, or there is none. */
  readonly acceptsSigner?: boolean;
  /** The contract's own totals by token; absent if it has none. */
  readonly totals?: ReadonlyMap<string, bigint>;
  /** The contract's own totals of what it accepts, with which the commitments say what is accepted of them; absent if it doesn't say. */
  readonly acceptedTotals?: ReadonlyMap<string, bigint>;
  /** The number of commitments. */
  readonly count: bigint;
  /** Whether a commitment's index is the contract's own, so that it can be compared. */
  readonly hasIndexes: boolean;
  /** Texts for people about how it was read. */
  readonly remarks: readonly string[];
  /**
   * Reads all commitments, in parts.
   *
   * @throws SourceFault if they can't be read, or aren't all of the block.
   */
  rows(signal: AbortSignal): AsyncIterable<readonly SourceCommitment[]>;
}
