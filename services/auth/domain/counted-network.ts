import { isIPv6 } from "node:net";

/** Hex groups of an address that make a network: 64 bits, which one household gets. */
const NETWORK_GROUPS = 4;
const GROUPS = 8;

/**
 * What a limit per address counts: an IPv4 address; of an IPv6 address its /64, as one user has all of it. An IPv4
 * address mapped into IPv6 (RFC 4291 section 2.5.5.2) counts as itself; other text as it is.
 */
export function countedNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address);
  const [high = 0, low = 0] = groups.slice(-2);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join(".");
  return `${groups
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.toString(16))
    .join(":")}::/64`;
}

function groupsOf(address: string): number[] {
  const [withoutZone = ""] = address.split("%");
  const [head = "", tail] = withoutZone.split("::");
  const before = parseGroups(head);
  if (tail === undefined) return before;
  const after = parseGroups(tail);
  return [...before, ...new Array<number>(GROUPS - before.length - after.length).fill(0), ...after];
}

/** Groups separated by colons; the last one may be an IPv4 address, which makes two. */
function parseGroups(text: string): number[] {
  if (text === "") return [];
  return text.split(":").flatMap((group) => {
    const [a = 0, b = 0, c, d = 0] = group.split(".").map(Number);
    return c === undefined ? [Number.parseInt(group, 16)] : [a * 256 + b, c * 256 + d];
  });
}
