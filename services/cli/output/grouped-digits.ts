/** Digits in groups of three: `1,234,567`. */
export function grouped(count: bigint): string {
  return count.toString().replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}
