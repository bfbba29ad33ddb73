/** Converts a generation (16 hex digits) to its `fixed64`; `generationText` converts it back. */
export function generationNumber(generation: string): bigint {
  return BigInt(`0x${generation}`);
}

export function generationText(generation: bigint): string {
  return generation.toString(16).padStart(16, "0");
}
