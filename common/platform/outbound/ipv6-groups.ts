const GROUPS = 8;

/**
 * Parses an IPv6 address in any notation, with or without a zone (RFC 4291 section 2.2), into its eight groups of 16 bits.
 *
 * @param address text for which `isIPv6` is true
 */
export function ipv6Groups(address: string): readonly number[] {
  const [withoutZone = ""] = address.split("%");
  const [head = "", tail] = withoutZone.split("::");
  const before = parseGroups(head);
  if (tail === undefined) return before;
  const after = parseGroups(tail);
  return [...before, ...new Array<number>(GROUPS - before.length - after.length).fill(0), ...after];
}

/** Parses groups separated by colons. An IPv4 address at the end counts as two groups. */
function parseGroups(text: string): number[] {
  if (text === "") return [];
  return text.split(":").flatMap((group) => {
    const [a = 0, b = 0, c, d = 0] = group.split(".").map(Number);
    return c === undefined ? [Number.parseInt(group, 16)] : [a * 256 + b, c * 256 + d];
  });
}
