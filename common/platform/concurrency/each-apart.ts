/**
 * Does work for one item after the other, or for several at once. One that fails keeps no other from its work.
 *
 * @param signal ends it before the next item
 * @param atOnce the most items under way
 * @throws the only failure, or an AggregateError of all, once the others are done
 */
export async function eachApart<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
  signal?: AbortSignal,
  atOnce = 1,
): Promise<void> {
  const failures: unknown[] = [];
  const rest = items[Symbol.iterator]();
  const workOn = async () => {
    while (!signal?.aborted) {
      const { done = false, value } = rest.next();
      if (done) return;
      await work(value).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, workOn));
  if (failures.length > 1) throw new AggregateError(failures, `${failures.length} of them failed`);
  if (failures.length === 1) throw failures[0];
}
