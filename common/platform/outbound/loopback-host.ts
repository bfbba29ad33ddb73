import { isIPv4, isIPv6 } from "node:net";
import { ipv6Groups } from "./ipv6-groups.ts";

/** Names that systems commonly give to the own machine, beside `localhost` (RFC 6761 section 6.3). */
const LOCAL_NAMES = new Set([
  "localhost",
  "localhost.localdomain",
  "localhost4",
  "localhost4.localdomain4",
  "localhost6",
  "localhost6.localdomain6",
  "ip6-localhost",
  "ip6-loopback",
]);
/** 127.0.0.0/8, and 0.0.0.0/8, which systems treat as the own machine. */
const LOCAL_IPV4 = /^(?:127|0)\./;
/** The groups of 16 bits before an IPv4 address: mapped, translated, and NAT64 (RFC 4291 section 2.5.5.2, RFC 7915, RFC 6052). */
const IPV4_PREFIXES = new Set(["0:0:0:0:0:ffff", "0:0:0:0:ffff:0", "64:ff9b:0:0:0:0"]);
/** The groups before an IPv4 address in the deprecated compatible form (RFC 4291 section 2.5.5.1). */
const COMPATIBLE_PREFIX = "0:0:0:0:0:0";

/**
 * Whether a host is the user's own machine, under any of its names and addresses.
 *
 * @param hostname the `URL.hostname` of an http or https URL: lower-case, IPv4 addresses in their usual notation, IPv6
 *   addresses in brackets
 */
export function isLoopbackHost(hostname: string): boolean {
  const name = hostname.replace(/\.+$/, "");
  if (name.startsWith("[") && name.endsWith("]")) return isLoopbackIpv6(name.slice(1, -1));
  if (isIPv4(name)) return LOCAL_IPV4.test(name);
  return LOCAL_NAMES.has(name) || name.endsWith(".localhost");
}

/** Whether an address is `::1`, `::`, or contains an IPv4 loopback address. */
function isLoopbackIpv6(address: string): boolean {
  if (!isIPv6(address)) return false;
  const groups = ipv6Groups(address);
  const prefix = groups.slice(0, -2).map((group) => group.toString(16));
  const [high = 0, low = 0] = groups.slice(-2);
  // The last 32 bits of `::2` aren't meant as 0.0.0.2, but those of `::7f00:1` are understood as 127.0.0.1.
  if (prefix.join(":") === COMPATIBLE_PREFIX) return high >> 8 === 127 || (high === 0 && low <= 1);
  if (!IPV4_PREFIXES.has(prefix.join(":"))) return false;
  return LOCAL_IPV4.test(`${high >> 8}.${high & 0xff}.${low >> 8}.${low & 0xff}`);
}
