/**
 * Whether an EVM address of valid form has no checksum (its letters are of one case) or the right one (EIP-55). Meant
 * for addresses that people type: the first one of mixed case loads viem.
 */
export async function hasRightChecksum(address: string): Promise<boolean> {
  const digits = address.slice(2);
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return true;
  const { isAddress } = await import("viem/utils");
  return isAddress(address, { strict: true });
}
