/** A call of a contract, with the decoder of its answer. */
export interface ContractCall<Result> {
  /** The function's name. */
  readonly name: string;
  /** `0x` hex. */
  readonly data: string;
  /** Whether the answer may be large. */
  readonly heavy?: boolean;
  /** @throws Error for an answer that isn't of the function's type. */
  decode(answer: `0x${string}`): Result;
}
