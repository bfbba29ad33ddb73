import { isIPv4, isIPv6 } from "node:net";
import { ipv6Groups } from "../base/ipv6-groups.ts";

/** Names that systems commonly give to the own machine, beside `localhost` (RFC 6761 section 6.3). */
const LOCAL_NAMES = new Set(["localhost", "localhost.localdomain", "localhost6", "localhost6.localdomain6"]);
const LOCAL_IPV6_NAMES = new Set(["ip6-localhost", "ip6-loopback"]);
/** 127.0.0.0/8, and 0.0.0.0/8, which systems treat as the own machine. */
const LOCAL_IPV4 = /^(?:127|0)\./;
/**
 * The groups of 16 bits before an IPv4 address in an IPv6 address: compatible, mapped, translated, and NAT64 (RFC 4291
 * section 2.5.5, RFC 7915, RFC 6052).
 */
const IPV4_PREFIXES = new Set(["0:0:0:0:0:0", "0:0:0:0:0:ffff", "0:0:0:0:ffff:0", "64:ff9b:0:0:0:0"]);

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
  return LOCAL_NAMES.has(name) || LOCAL_IPV6_NAMES.has(name) || name.endsWith(".localhost");
}

/** Whether an address is `::1`, `::`, or contains an IPv4 loopback address. */
function isLoopbackIpv6(address: string): boolean {
  if (!isIPv6(address)) return false;
  const groups = ipv6Groups(address);
  const prefix = groups.slice(0, -2).map((group) => group.toString(16));
  if (!IPV4_PREFIXES.has(prefix.join(":"))) return false;
  const [high = 0, low = 0] = groups.slice(-2);
  // The last 32 bits of `::1` and `::` begin with the byte 0, as 0.0.0.0/8 does.
  return LOCAL_IPV4.test(`${high >> 8}.${high & 0xff}.${low >> 8}.${low & 0xff}`);
}
