const GROUPS = 8;

/**
 * The eight groups of 16 bits of an IPv6 address, in any of its notations, with or without a zone (RFC 4291 section 2.2).
 *
 * @param address that `isIPv6` takes
 */
export function ipv6Groups(address: string): readonly number[] {
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
