import { isIPv6 } from "node:net";
import { ipv6Groups } from "./ipv6-groups.ts";

/** Groups of 16 bits: a /64, which is what one household gets. */
const NETWORK_GROUPS = 4;
/** A /48, the most that one customer of a provider usually gets: 65,536 times a /64. */
const SITE_GROUPS = 3;
/** A /48 may have as much as so many of its /64s: providers of mobile phones give each phone one of the same /48. */
export const ADDRESSES_A_SITE = 16;

/**
 * The address under which a rate limit counts a caller. IPv6 addresses count by their /64, because one user has all of it.
 * An IPv4 address mapped into IPv6 (RFC 4291 section 2.5.5.2) counts as the IPv4 address. Other text stays as it is.
 */
export function rateLimitAddress(address: string): string {
  if (!isIPv6(address)) return address;
  const groups = ipv6Groups(address);
  const [high = 0, low = 0] = groups.slice(-2);
  if (isMapped(groups)) return [high >> 8, high & 255, low >> 8, low & 255].join(".");
  return `${prefixOf(groups, NETWORK_GROUPS)}::/64`;
}

/**
 * Returns the /48 of an IPv6 address, under which a limit counts the /64s of one customer together; undefined for any other address.
 */
export function rateLimitSite(address: string): string | undefined {
  if (!isIPv6(address)) return undefined;
  const groups = ipv6Groups(address);
  return isMapped(groups) ? undefined : `${prefixOf(groups, SITE_GROUPS)}::/48`;
}

function isMapped(groups: readonly number[]): boolean {
  return groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
}

function prefixOf(groups: readonly number[], length: number): string {
  return groups
    .slice(0, length)
    .map((group) => group.toString(16))
    .join(":");
}
