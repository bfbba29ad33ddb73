import type { TokenSums } from "../../contract-facts.ts";

const PREFIX = "accepted ";

/** Returns the key under which sums have what is accepted of a token, beside what is committed, which has the token's. */
export function acceptedKey(token: string): string {
  return `${PREFIX}${token}`;
}

/** Returns the token of an `acceptedKey`; undefined for the key of a committed amount. */
export function acceptedToken(key: string): string | undefined {
  return key.startsWith(PREFIX) ? key.slice(PREFIX.length) : undefined;
}

/** Returns the totals that a contract says as sums; undefined if it says none. */
export function totalsAsSums(committed: TokenSums | undefined, accepted: TokenSums | undefined): TokenSums | undefined {
  if (committed === undefined && accepted === undefined) return undefined;
  const own = [...(accepted ?? [])].map(([token, amount]) => [acceptedKey(token), amount] as const);
  return new Map([...(committed ?? []), ...own]);
}

/** Returns the sums of accepted amounts only. */
export function onlyAccepted(sums: TokenSums): TokenSums {
  return new Map([...sums].filter(([key]) => acceptedToken(key) !== undefined));
}
