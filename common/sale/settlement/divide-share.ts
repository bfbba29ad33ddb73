import { normaliseAmount } from "../figures/amount.ts";
import type { Bid, Cell } from "./bid.ts";
import { sumOf } from "./pro-rata.ts";

/**
 * Divides the accepted share of a bid over its cells, in the order that they have. Each cell that isn't refused gets its part of the share,
 * rounded down to whole units of its token; what that leaves goes to the first cells that have room for it. A bid that is accepted
 * whole is accepted to its last raw unit. What no token can express is less than a smallest unit of the coarsest one.
 *
 * @param share smallest payment units, at most `bid.allowed`
 * @returns the raw amount of each cell
 */
export function divideShare(share: bigint, { cells, allowed }: Bid, paymentTokenDecimals: number): readonly bigint[] {
  const toRaw = ({ decimals }: Cell, amount: bigint) => normaliseAmount(amount, paymentTokenDecimals, decimals);
  const toPayment = ({ decimals }: Cell, raw: bigint) => normaliseAmount(raw, decimals, paymentTokenDecimals);
  const isOpen = (cell: Cell) => !cell.isRefused && allowed > 0n;
  if (share === allowed) return cells.map((cell) => (isOpen(cell) ? cell.raw : 0n));

  const parts = cells.map((cell) => (isOpen(cell) ? toRaw(cell, (share * cell.amount) / allowed) : 0n));
  let left = share - sumOf(cells.map((cell, index) => toPayment(cell, parts[index] ?? 0n)));
  return cells.map((cell, index) => {
    const part = parts[index] ?? 0n;
    if (!isOpen(cell)) return part;
    const added = lesser(toRaw(cell, cell.amount) - part, toRaw(cell, left));
    left -= toPayment(cell, added);
    return part + added;
  });
}

// Not `Math.min`, which takes no bigint.
function lesser(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
