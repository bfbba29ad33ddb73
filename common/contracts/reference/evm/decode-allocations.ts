import { AbiWords } from "../../../chains/evm/abi-words.ts";
import type { SourceAmount } from "../../source-commitment.ts";
import { DecodingBudget } from "./decoding-budget.ts";

const WORD = 32;
const HEAD = 2 * WORD;

/** The amounts that a contract accepts of an entity, as it lists them. */
export interface EntityAllocation {
  /** 32 lower-case hex digits. */
  readonly entityId: string;
  /** Some may be zero. */
  readonly accepted: readonly SourceAmount[];
}

/**
 * Decodes `EntityAllocationData[]`, the answer of `readEntityAllocationDataIn`.
 *
 * @param count the expected number of rows.
 * @throws RangeError for any other number of rows, and for anything that isn't such an encoding.
 */
export function decodeAllocations(answer: string, count: number): readonly EntityAllocation[] {
  const words = new AbiWords(answer);
  const array = words.size(0);
  const actual = words.size(array);
  if (actual !== count) throw new RangeError(`${actual} rows instead of ${count}`);
  const budget = new DecodingBudget(words);
  budget.use(count * (WORD + HEAD));
  const base = array + WORD;
  return Array.from({ length: count }, (_, index) => {
    const at = base + words.size(base + index * WORD);
    return { entityId: words.bytes16(at), accepted: budget.amounts(at + words.size(at + WORD)) };
  });
}
