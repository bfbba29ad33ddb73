import type { SaleState } from "../sale/sale-state.ts";

/**
 * Under which figures of its sale a commitment counts: sums and the list of the latest are kept apart by standing, so
 * that a sale becomes settled, or open again, without touching a row.
 *
 *    1      not refunded: counts always;
 *    2      refunded, or with `cancelledKeepsAmounts` refunded while the sale was open;
 *    2 + k  with `cancelledKeepsAmounts`: refunded while the sale was settled for the k-th time.
 *
 * Negative: the same, but without any amount, so it counts nowhere; the sign keeps what became of it.
 */
export type Standing = bigint;

export const KEPT: Standing = 1n;
const REFUNDED: Standing = 2n;

export interface StandingInput {
  readonly refunded: boolean;
  /** Whether its raw amounts sum to more than zero. */
  readonly hasAmount: boolean;
  /** Its standing until now, for a commitment that is known. */
  readonly before?: Standing;
}

/** The standing of a commitment that is applied to a sale which is in `state` afterwards. */
export function standingOf(input: StandingInput, state: SaleState, cancelledKeepsAmounts: boolean): Standing {
  const standing = input.refunded ? refundedStanding(input.before, state, cancelledKeepsAmounts) : KEPT;
  return input.hasAmount ? standing : -standing;
}

function refundedStanding(before: Standing | undefined, state: SaleState, keepsAmounts: boolean): Standing {
  if (!keepsAmounts || state.status !== "settled") return REFUNDED;
  const known = before === undefined ? KEPT : magnitude(before);
  return known === KEPT ? REFUNDED + state.settleCount : known;
}

function magnitude(standing: Standing): Standing {
  return standing < 0n ? -standing : standing;
}

/** The standings whose commitments are active: listed, counted, added up and cleared. */
export function activeStandings(
  state: Pick<SaleState, "status" | "settleCount">,
  cancelledKeepsAmounts: boolean,
): readonly Standing[] {
  if (state.status !== "settled") return [KEPT];
  return [KEPT, cancelledKeepsAmounts ? REFUNDED + state.settleCount : REFUNDED];
}
