import type { SourcePosition } from "../chains/base/source-position.ts";
import type { CheckOutcome, Finding } from "./compare/checks.ts";
import type { ShownSource } from "./compare/shown-sale.ts";

/** The outcome of comparing a sale with its chain. */
export interface Verdict {
  readonly saleUuid: string;
  readonly name: string;
  /** Names the state of the figures. */
  readonly state: string;
  readonly source: ShownSource;
  /** Whether every commitment was compared, or only the figures of all and the latest of them. */
  readonly covers: "all_commitments" | "public_figures";
  /** The block or slot of the figures. */
  readonly figuresAt: SourcePosition;
  /** The block or slot at which the chain was read; absent if the chain doesn't have that of the figures. */
  readonly readAt?: SourcePosition;
  /** Host of the node that was asked first; absent with `readAt`. */
  readonly node?: string;
  readonly checks: readonly CheckOutcome[];
  /** Texts for people about what the comparison doesn't prove. */
  readonly remarks: readonly string[];
  /** The number of differences; 0 if all that was compared is the same. */
  readonly differences: number;
  /** The first differences. */
  readonly findings: readonly Finding[];
}
