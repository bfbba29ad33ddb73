import { hasBiddingEnded } from "./bidding.ts";
import type { SaleStage } from "./stage.ts";

/** Word for where a sale is, as its readers are told. */
export type SalePhase = "unknown" | "upcoming" | "open" | "closed" | "settled";

/** The facts of a sale, by their names in public JSON, that say where it is. */
export interface PhaseFacts {
  /** Undefined where an older service doesn't send it. */
  readonly Status?: "open" | "settled";
  /** Stage of the sale's contract; undefined for a sale without one, and where it isn't known. */
  readonly Stage?: SaleStage;
  /** When the founder means to open and to close it, of ISO 8601, in UTC. The contract decides, where there is one. */
  readonly OpensAt?: string;
  readonly ClosesAt?: string;
}

/** Where a sale is. */
export interface SaleState {
  readonly phase: SalePhase;
  /** Whether the founder's times alone say so, since nothing is known of a contract. */
  readonly isAnnounced: boolean;
}

/**
 * Returns where a sale is: by its status, by the stage of its contract, and only where that isn't known by its founder's times.
 * Everything that a page says of it comes from here.
 *
 * @param now in milliseconds since 1970
 */
export function saleState(facts: PhaseFacts, now: number): SaleState {
  const [phase, isAnnounced] = phaseOf(facts, now);
  return { phase, isAnnounced };
}

/** Whether nobody can take part any more. */
export function hasEnded(phase: SalePhase): boolean {
  return phase === "closed" || phase === "settled";
}

function phaseOf({ Status, Stage, OpensAt, ClosesAt }: PhaseFacts, now: number): readonly [SalePhase, boolean] {
  if (Status !== "open" || Stage === "done") return [Status === undefined ? "unknown" : "settled", false];
  if (Stage !== undefined) return [phaseAt(Stage), false];
  if (ClosesAt && now >= Date.parse(ClosesAt)) return ["closed", true];
  if (OpensAt) return [now < Date.parse(OpensAt) ? "upcoming" : "open", true];
  return ["open", ClosesAt !== undefined];
}

/** @param stage before the last one */
function phaseAt(stage: SaleStage): SalePhase {
  if (stage === "pre_open") return "upcoming";
  return hasBiddingEnded(stage) ? "closed" : "open";
}
