import { BlockList, isIPv4 } from "node:net";

/** IPv4 networks that aren't globally reachable (RFC 6890 and IANA's registry), multicast and reserved ones included. */
const SPECIAL_IPV4 = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const;
/** The IPv6 networks in 2000::/3, the only assigned part, that aren't globally reachable or lead to IPv4 addresses. */
const SPECIAL_IPV6 = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const;

const specialIpv4 = new BlockList();
for (const [network, prefix] of SPECIAL_IPV4) specialIpv4.addSubnet(network, prefix, "ipv4");
const specialIpv6 = new BlockList();
for (const [network, prefix] of SPECIAL_IPV6) specialIpv6.addSubnet(network, prefix, "ipv6");
const assignedIpv6 = new BlockList();
assignedIpv6.addSubnet("2000::", 3, "ipv6");

/**
 * Whether a host can be one of the public internet: no address of a private, link-local or reserved network, and no name of
 * a single label, which every local network may give to a machine of its own.
 *
 * @param hostname the `URL.hostname` of an http or https URL
 */
export function isPublicHost(hostname: string): boolean {
  const name = hostname.replace(/\.+$/, "");
  if (isIPv4(name)) return !specialIpv4.check(name, "ipv4");
  if (!name.startsWith("[")) return name.includes(".");
  const address = name.slice(1, -1);
  return assignedIpv6.check(address, "ipv6") && !specialIpv6.check(address, "ipv6");
}
