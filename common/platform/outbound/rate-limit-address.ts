import { isIPv6 } from "node:net";
import { ipv6Groups } from "./ipv6-groups.ts";

/** Groups of 16 bits: a /64, which is what one household gets. */
const NETWORK_GROUPS = 4;

/**
 * The address under which a rate limit counts a caller. IPv6 addresses count by their /64, because one user has all of it.
 * An IPv4 address mapped into IPv6 (RFC 4291 section 2.5.5.2) counts as the IPv4 address. Other text stays as it is.
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
