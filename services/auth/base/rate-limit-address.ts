import { isIPv6 } from "node:net";
import { ipv6Groups } from "./ipv6-groups.ts";

/** Hex groups of an address that make a network: 64 bits, which one household gets. */
const NETWORK_GROUPS = 4;

/**
 * What a limit per address counts: an IPv4 address; of an IPv6 address its /64, as one user has all of it. An IPv4
 * address mapped into IPv6 (RFC 4291 section 2.5.5.2) counts as itself; other text as it is.
 */
export function rateLimitAddress(address: string): string {
  if (!isIPv6(address)) return address;
  const groups = ipv6Groups(address);
  const [high = 0, low = 0] = groups.slice(-2);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join(".");
  return `${groups
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.toString(16))
    .join(":")}::/64`;
}
