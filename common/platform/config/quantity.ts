/** Factors by unit suffix. The suffix "" is that of a number without a unit. */
export type Units = Readonly<Record<string, number>>;

export const DURATION_UNITS: Units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
export const BYTE_UNITS: Units = { "": 1, B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };

/**
 * Parses a whole number with a unit, such as `250ms` or `32MiB`, to the smallest unit. Undefined for anything else:
 * fractions, signs, spaces, unknown units, and what a number can't hold exactly.
 */
export function parseQuantity(text: string, units: Units): number | undefined {
  const match = /^(\d{1,16})([A-Za-z]*)$/.exec(text);
  const factor = match?.[2] !== undefined && Object.hasOwn(units, match[2]) ? units[match[2]] : undefined;
  if (match === null || factor === undefined) return undefined;
  const value = Number(match[1]) * factor;
  return Number.isSafeInteger(value) ? value : undefined;
}
