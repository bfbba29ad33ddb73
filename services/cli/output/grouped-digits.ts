/** Digits in groups of three: `1,234,567`. */
export function grouped(count: bigint): string {
  return count.toString().replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

/** A count of what a noun names: `1 entity`, `1,234 entities`. @param many its plural, if that isn't the noun with an s */
export function counted(count: bigint, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1n ? one : many}`;
}
