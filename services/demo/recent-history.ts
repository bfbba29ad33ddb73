/**
 * Takes from a state that anvil has written all but its newest blocks and their transactions. anvil itself keeps every
 * block for good, and writes all of them each time.
 *
 * @param keptBlocks from 1.
 * @returns JSON text again.
 * @throws SyntaxError where the text is no JSON; TypeError where it isn't what anvil 1.7 writes.
 */
export function recentHistory(state: string, keptBlocks: number): string {
  const chain: unknown = JSON.parse(state);
  const newest = numberOf(chain, "best_block_number");
  const isRecent = (height: number) => height > newest - keptBlocks;
  const blocks = listOf(chain, "blocks").filter((block) => isRecent(numberOf(fieldOf(block, "header"), "number")));
  const transactions = listOf(chain, "transactions").filter((mined) => isRecent(numberOf(mined, "block_number")));
  return JSON.stringify(Object.assign({}, chain, { blocks, transactions }));
}

function listOf(value: unknown, name: string): readonly unknown[] {
  const list = fieldOf(value, name);
  if (!Array.isArray(list)) throw new TypeError(`${name} is no list`);
  return list;
}

/** Block numbers come as numbers or as hex text. */
function numberOf(value: unknown, name: string): number {
  const field = fieldOf(value, name);
  const number = typeof field === "string" || typeof field === "number" ? Number(field) : Number.NaN;
  if (!Number.isSafeInteger(number)) throw new TypeError(`${name} is no block number`);
  return number;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
