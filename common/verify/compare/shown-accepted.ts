/** The amounts that a settled sale accepts as a whole, as Tidemark shows them. */
export interface ShownAccepted {
  /** The sum over all tokens, normalised to the decimals of the sale. */
  readonly total: bigint;
  /** Raw sums by token; absent where only their whole is shown. */
  readonly byToken?: ReadonlyMap<string, bigint>;
}
