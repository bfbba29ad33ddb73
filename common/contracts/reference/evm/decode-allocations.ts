import { AbiWords } from "../../../chains/evm/abi-words.ts";
import type { EntityAllocation } from "../../contract-facts.ts";
import { DecodingBudget } from "./decoding-budget.ts";
import { paddedId } from "./padded-id.ts";

const WORD = 32;
const HEAD = 2 * WORD;

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
    const entityId = words.bytes16(at);
    return { entityId, commitmentId: paddedId(entityId), accepted: budget.amounts(at + words.size(at + WORD)) };
  });
}
