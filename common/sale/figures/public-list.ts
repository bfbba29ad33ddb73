/** Most commitments that the public list has (system description, section 8). */
export const LIST_LIMIT = 100;

/** The fields of a commitment that give it its place in the public list. */
export interface ListKey {
  /** Hex of one length and case, in a list with or without `0x` throughout. */
  readonly commitmentId: string;
  readonly createdAtSeconds: bigint;
}

/** Changes of a sale's commitments that count. */
export interface ListChanges<Row extends ListKey> {
  readonly upserted: readonly Row[];
  readonly removedIds: readonly string[];
  /** Number of commitments afterwards. */
  readonly count: bigint;
}

/** Orders commitments as the public list does: by creation time descending, then by commitment ID ascending. */
export function compareLatest(left: ListKey, right: ListKey): number {
  if (left.createdAtSeconds !== right.createdAtSeconds) return left.createdAtSeconds > right.createdAtSeconds ? -1 : 1;
  return left.commitmentId < right.commitmentId ? -1 : left.commitmentId > right.commitmentId ? 1 : 0;
}

/** Returns the public list of commitments that count. */
export function latestOf<Row extends ListKey>(rows: readonly Row[]): Row[] {
  return rows.toSorted(compareLatest).slice(0, LIST_LIMIT);
}

/**
 * Returns the public list after changes. Undefined where a commitment may belong into it that the list before doesn't have, or
 * where the changes don't lead to the number of commitments.
 */
export function listAfter<Row extends ListKey>(
  before: readonly Row[],
  { upserted, removedIds, count }: ListChanges<Row>,
): readonly Row[] | undefined {
  const changed = new Set([...removedIds, ...upserted.map(({ commitmentId }) => commitmentId)]);
  const list = latestOf([...before.filter(({ commitmentId }) => !changed.has(commitmentId)), ...upserted]);
  const isWhole = count >= LIST_LIMIT ? list.length === LIST_LIMIT : BigInt(list.length) === count;
  return isWhole && !mayMissOne(before, list) ? list : undefined;
}

/** Whether a commitment behind the last one of a full list, which nobody knows here, may belong into the next list. */
function mayMissOne(before: readonly ListKey[], list: readonly ListKey[]): boolean {
  const [lastBefore, last] = [before[LIST_LIMIT - 1], list[LIST_LIMIT - 1]];
  return lastBefore !== undefined && (last === undefined || compareLatest(last, lastBefore) > 0);
}
