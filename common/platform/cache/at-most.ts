/** Bounds of an `LRUCache`, by a size of 1 for each entry. */
interface EntryBound {
  readonly maxSize: number;
  readonly sizeCalculation: () => number;
}

const ONE = () => 1;

/**
 * Returns the options of an `LRUCache` that keeps at most so many entries. Its own `max` reserves memory for all of them at once, which
 * most caches of most processes never need.
 *
 * @param entries at least 1
 */
export function atMost(entries: number): EntryBound {
  return { maxSize: entries, sizeCalculation: ONE };
}
