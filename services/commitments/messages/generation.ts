/** A generation (16 hex digits) as its `fixed64`, and back. */
export function generationNumber(generation: string): bigint {
  return BigInt(`0x${generation}`);
}

export function generationText(generation: bigint): string {
  return generation.toString(16).padStart(16, "0");
}
