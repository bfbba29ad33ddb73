/** The most rows in one statement. */
export const BATCH_SIZE = 500;

/** Divides a list into batches, of one statement or call each. */
export function* inBatches<Item>(items: readonly Item[], size: number = BATCH_SIZE): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
