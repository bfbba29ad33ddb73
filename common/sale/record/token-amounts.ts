/** A raw amount of a token. */
export interface TokenAmount {
  readonly token: string;
  readonly amount: bigint;
}

/** Raw amounts by token. None of them is 0. */
export type TokenAmounts = ReadonlyMap<string, bigint>;

/** Adds an amount, which may be negative, to the one of a token. A sum of 0 stays in the map. */
export function addTo(amounts: Map<string, bigint>, token: string, amount: bigint): void {
  amounts.set(token, (amounts.get(token) ?? 0n) + amount);
}

/** Returns the sums of amounts and differences by token, without zeros. */
export function addAmounts(amounts: TokenAmounts, differences: ReadonlyMap<string, bigint>): TokenAmounts {
  const sums = new Map(amounts);
  for (const [token, difference] of differences) addTo(sums, token, difference);
  return withoutZeros(sums);
}

export function withoutZeros(amounts: ReadonlyMap<string, bigint>): TokenAmounts {
  return new Map([...amounts].filter(([, amount]) => amount !== 0n));
}

export function areEqual(some: TokenAmounts, others: TokenAmounts): boolean {
  return some.size === others.size && [...some].every(([token, amount]) => others.get(token) === amount);
}
