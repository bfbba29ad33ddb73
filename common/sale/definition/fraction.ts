/** An exact quotient, never reduced. Both parts are at least 0, the denominator at least 1. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}
