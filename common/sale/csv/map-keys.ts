/** Returns the key of an address: those in hexadecimal digits mean the same in any case, those in base58 don't. */
export function addressKey(address: string): string {
  return address.startsWith("0x") ? address.toLowerCase() : address;
}

/** Returns bytes as a text of as many characters, which takes a third of the memory of hex. */
export function bytesKey(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
