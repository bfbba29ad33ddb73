import { grouped } from "../output/grouped-digits.ts";

/** Says how many permits stay valid after a change, which withdraws none. @param permits that haven't expired */
export function unexpiredText(permits: bigint): string {
  if (permits === 0n) return "no permit is valid";
  const subject = permits === 1n ? "1 permit stays" : `${grouped(permits)} permits stay`;
  return `${subject} valid, for ten minutes at most`;
}
