import { BlockList, isIPv4 } from "node:net";

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
const LOCAL_IPV4 = ["127.0.0.0", "0.0.0.0"];
/** Prefixes before an IPv4 address: mapped, translated, and NAT64 (RFC 4291 section 2.5.5.2, RFC 7915, RFC 6052). */
const IPV4_PREFIXES = ["::ffff:", "::ffff:0:", "64:ff9b::"];

const loopbackIpv4 = new BlockList();
const loopbackIpv6 = new BlockList();
// `::` and `::1`. The last 32 bits of `::2` aren't meant as 0.0.0.2, but those of `::7f00:1` are understood as 127.0.0.1.
loopbackIpv6.addSubnet("::", 127, "ipv6");
loopbackIpv6.addSubnet("::127.0.0.0", 104, "ipv6");
for (const network of LOCAL_IPV4) {
  loopbackIpv4.addSubnet(network, 8, "ipv4");
  for (const prefix of IPV4_PREFIXES) loopbackIpv6.addSubnet(prefix + network, 104, "ipv6");
}

/**
 * Whether a host is the user's own machine, under any of its names and addresses.
 *
 * @param hostname the `URL.hostname` of an http or https URL: lower-case, IPv4 addresses in their usual notation, IPv6
 *   addresses in brackets
 */
export function isLoopbackHost(hostname: string): boolean {
  const name = hostname.replace(/\.+$/, "");
  if (name.startsWith("[") && name.endsWith("]")) return loopbackIpv6.check(name.slice(1, -1), "ipv6");
  if (isIPv4(name)) return loopbackIpv4.check(name, "ipv4");
  return LOCAL_NAMES.has(name) || name.endsWith(".localhost");
}
