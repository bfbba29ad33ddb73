/**
 * The row of `outbox_relay` whose holder is the generation that all sales began together last. Whoever follows changes by a cursor
 * begins anew with another one: these sales have changed without an event.
 */
export const COMMON_GENERATION = "generation";

/** Converts a generation (16 hex digits) to its `fixed64`; `generationText` converts it back. */
export function generationNumber(generation: string): bigint {
  return BigInt(`0x${generation}`);
}

export function generationText(generation: bigint): string {
  return generation.toString(16).padStart(16, "0");
}
