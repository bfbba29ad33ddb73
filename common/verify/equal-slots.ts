import type { ShownSale } from "./compare/shown-sale.ts";
import { MovedOn } from "./shown/moved-on.ts";

/** Reads of the figures while they aren't known to be current up to a slot, and the time between them in milliseconds. */
const MAX_READS = 40;
const INTERVAL_MS = 1_000;

export interface EqualSlotsOptions {
  readonly readShown: (signal: AbortSignal) => Promise<ShownSale>;
  readonly wait: (millis: number, signal: AbortSignal) => Promise<unknown>;
  readonly signal: AbortSignal;
}

/** Figures that are to be compared with the state of a slot. */
export interface FiguresAtSlot {
  readonly shown: ShownSale;
  /** Whether they are known to be those of the slot. */
  readonly areEqual: boolean;
}

/**
 * Reads figures again until they are known to be those of a slot: they last changed at it or before, and are current up to it
 * or later.
 *
 * @throws MovedOn if they changed after the slot; what `readShown` throws
 */
export async function figuresAtSlot(
  slot: bigint,
  { readShown, wait, signal }: EqualSlotsOptions,
): Promise<FiguresAtSlot> {
  for (let read = 1; ; read += 1) {
    const shown = await readShown(signal);
    const { asOf, changedAt, isFinal } = shown;
    if (isFinal) return { shown, areEqual: true };
    if (changedAt !== undefined && changedAt.height > slot) throw new MovedOn();
    // Where a founder has changed a setting since, nobody knows when the sale last changed on its chain.
    if (asOf !== undefined && asOf.height >= slot)
      return { shown, areEqual: changedAt !== undefined || asOf.height === slot };
    if (read === MAX_READS) return { shown, areEqual: false };
    await wait(INTERVAL_MS, signal);
  }
}
