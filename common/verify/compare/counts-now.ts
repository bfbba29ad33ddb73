import type { CommitmentRecord } from "../../sale/record/commitment.ts";

/**
 * Whether a commitment counts, by its contract's present state; undefined if that doesn't say it: in a settled sale, a refunded
 * commitment counts unless it was cancelled before, which shows only if cancelling takes the amounts away.
 *
 * @param keepsAmounts whether a cancelled commitment keeps its amounts; undefined if that isn't known
 */
export function countsNow(
  { amounts, refunded }: CommitmentRecord,
  settled: boolean,
  keepsAmounts: boolean | undefined,
): boolean | undefined {
  if (amounts.every(({ amount }) => amount === 0n)) return false;
  if (!refunded) return true;
  if (!settled) return false;
  return keepsAmounts === false ? true : undefined;
}
