/** Whether the benchmarks only show that they work (`--quick`), with small numbers and without judging any figure. */
export const QUICK = process.argv.includes("--quick");

/** Returns an amount of work, or the small one if the benchmarks only show that they work. */
export function amount<Amount>(whole: Amount, quick: Amount): Amount {
  return QUICK ? quick : whole;
}
