import type { SaleStatus } from "../state/status.ts";

/** Whether a sale is settled, and how often it was: a re-organisation of the chain can undo a settlement. */
export interface Settlement {
  readonly status: SaleStatus;
  readonly settleCount: bigint;
}

/**
 * The figures of its sale in which a commitment counts. Sums and the list of the latest are kept for each counting class, so
 * that a sale becomes settled, or open again, without touching a row.
 *
 *    1      not refunded: counts always;
 *    2      refunded, or with `cancelledKeepsAmounts` refunded while the sale was open;
 *    2 + k  with `cancelledKeepsAmounts`: refunded while the sale was settled for the k-th time.
 *
 * Negative classes mean the same for a commitment without any amount. It counts nowhere; the number keeps its history.
 */
export type CountingClass = bigint;

export const KEPT: CountingClass = 1n;
const REFUNDED: CountingClass = 2n;

export interface CountingClassInput {
  readonly refunded: boolean;
  /** Whether its raw amounts sum to more than zero. */
  readonly hasAmount: boolean;
  /** The class of the commitment before, if it is stored already. */
  readonly before?: CountingClass;
}

/** Returns the class of a commitment. @param state the sale's state after the apply */
export function countingClassOf(
  input: CountingClassInput,
  state: Settlement,
  cancelledKeepsAmounts: boolean,
): CountingClass {
  const countingClass = input.refunded ? refundedClass(input.before, state, cancelledKeepsAmounts) : KEPT;
  return input.hasAmount ? countingClass : -countingClass;
}

function refundedClass(before: CountingClass | undefined, state: Settlement, keepsAmounts: boolean): CountingClass {
  if (!keepsAmounts || state.status !== "settled") return REFUNDED;
  const known = before === undefined ? KEPT : magnitude(before);
  return known === KEPT ? REFUNDED + state.settleCount : known;
}

function magnitude(countingClass: CountingClass): CountingClass {
  return countingClass < 0n ? -countingClass : countingClass;
}

/** Returns the classes whose commitments are active: listed, counted, added up and cleared. */
export function activeClasses(state: Settlement, cancelledKeepsAmounts: boolean): readonly CountingClass[] {
  if (state.status !== "settled") return [KEPT];
  return [KEPT, cancelledKeepsAmounts ? REFUNDED + state.settleCount : REFUNDED];
}
