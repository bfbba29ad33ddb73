/**
 * Does work for one item after the other. One that fails keeps no other from its work.
 *
 * @param signal ends it before the next item
 * @throws the only failure, or an AggregateError of all, once the others are done
 */
export async function eachApart<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    if (signal?.aborted) break;
    await work(item).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 1) throw new AggregateError(failures, `${failures.length} of them failed`);
  if (failures.length === 1) throw failures[0];
}
