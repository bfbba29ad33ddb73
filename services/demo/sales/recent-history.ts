/**
 * Drops all but the newest blocks and their transactions from anvil's state, and older blocks that a reader needs for good. anvil itself keeps every block, and writes all of them each time.
 *
 * @param state JSON text as written by anvil.
 * @param keptBlocks 1 or more.
 * @param keeps whether an older block stays, by the bloom of its logs.
 * @returns JSON text of the same shape.
 * @throws SyntaxError if the text isn't JSON; TypeError if it hasn't the shape that anvil 1.7 writes.
 */
export function recentHistory(state: string, keptBlocks: number, keeps: (logsBloom: unknown) => boolean): string {
  const chain: unknown = JSON.parse(state);
  const newest = numberOf(chain, "best_block_number");
  const isRecent = (height: number) => height > newest - keptBlocks;
  const blocks = listOf(chain, "blocks").filter((block) => {
    const header = fieldOf(block, "header");
    return isRecent(numberOf(header, "number")) || keeps(fieldOf(header, "logsBloom"));
  });
  const transactions = listOf(chain, "transactions").filter((mined) => isRecent(numberOf(mined, "block_number")));
  return JSON.stringify(Object.assign({}, chain, { blocks, transactions }));
}

function listOf(value: unknown, name: string): readonly unknown[] {
  const list = fieldOf(value, name);
  if (!Array.isArray(list)) throw new TypeError(`${name} isn't a list`);
  return list;
}

/** Block numbers come as numbers or as hex text. */
function numberOf(value: unknown, name: string): number {
  const field = fieldOf(value, name);
  const number = typeof field === "string" || typeof field === "number" ? Number(field) : Number.NaN;
  if (!Number.isSafeInteger(number)) throw new TypeError(`${name} isn't a block number`);
  return number;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
