/** Compares two texts or two integers, for `sort`: texts by their UTF-16 code units. */
export function ascending<Value extends string | bigint | number>(one: Value, other: Value): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
