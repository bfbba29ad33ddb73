/** A call of a contract, with the decoder of its answer. */
export interface ContractCall<Result> {
  /** The function's name. */
  readonly name: string;
  /** `0x` hex. */
  readonly data: string;
  /** Whether the data is code that a node runs without deploying it, and whose answer is what it returns; by default, the contract is called. */
  readonly isCode?: boolean;
  /** Whether the answer may be large. */
  readonly heavy?: boolean;
  /** @throws Error for an answer that isn't of the function's type. */
  decode(answer: `0x${string}`): Result;
}
