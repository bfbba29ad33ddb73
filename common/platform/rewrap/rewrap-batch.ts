import { unwrap, wrap } from "../secrets/wrap.ts";
import type { RewrappedRow, WrappedKind, WrappedRow } from "./wrapped-kind.ts";

/** The number of rows of a batch, which one transaction changes. */
const BATCH = 200;

/** The secrets of one kind, by the key that opens them. */
export interface RewrapCount {
  readonly kind: string;
  readonly present: number;
  readonly other: number;
  readonly unreadable: number;
}

export interface RewrappedBatch {
  readonly count: RewrapCount;
  /** Undefined after the last batch of the last kind. */
  readonly next: string | undefined;
}

/**
 * Wraps a batch of secrets by the present key that the other key wraps. It can be repeated, and processes may read and write all
 * rows meanwhile.
 *
 * @param kinds at least one, in the order in which they are wrapped
 * @param cursor `next` of the batch before; empty for the first one
 */
export async function rewrapBatch(
  kinds: readonly WrappedKind[],
  cursor: string,
  dryRun: boolean,
): Promise<RewrappedBatch | undefined> {
  const [name = "", after = ""] = cursor === "" ? [kinds[0]?.kind] : cursor.split(/ (.*)/s);
  const index = kinds.findIndex(({ kind }) => kind === name);
  const kind = kinds[index];
  if (kind === undefined) return undefined;
  const rows = await kind.read(after, BATCH);
  const last = rows.length < BATCH ? undefined : rows.at(-1);
  const following = kinds[index + 1]?.kind;
  const next = last === undefined ? following && `${following} ` : `${name} ${last.cursor}`;
  return { count: await rewrapRows(kind, rows, dryRun), next };
}

/** Counts the secrets of a kind that no key opens. */
export async function countUnreadable(kind: WrappedKind): Promise<number> {
  let unreadable = 0;
  for (let after: string | undefined = ""; after !== undefined; ) {
    const rows: readonly WrappedRow[] = await kind.read(after, BATCH);
    unreadable += (await rewrapRows(kind, rows, true)).unreadable;
    after = rows.length < BATCH ? undefined : rows.at(-1)?.cursor;
  }
  return unreadable;
}

async function rewrapRows(kind: WrappedKind, rows: readonly WrappedRow[], dryRun: boolean): Promise<RewrapCount> {
  const [present, ...others] = kind.keys;
  const closed = rows.filter(({ name, wrapped }) => !opens(present, name, wrapped));
  const rewrapped = closed.flatMap((row) => rewrap(row, present, others) ?? []);
  if (rewrapped.length > 0 && !dryRun) await kind.store(rewrapped);
  const unreadable = closed.length - rewrapped.length;
  return { kind: kind.kind, present: rows.length - closed.length, other: rewrapped.length, unreadable };
}

function rewrap(row: WrappedRow, present: Uint8Array, others: readonly Uint8Array[]): RewrappedRow | undefined {
  for (const other of others) {
    const content = unwrap(other, row.name, row.wrapped);
    if (content === undefined) continue;
    const rewrapped = wrap(present, row.name, content);
    content.fill(0);
    return { ...row, rewrapped };
  }
  return undefined;
}

function opens(key: Uint8Array, name: string, wrapped: Uint8Array): boolean {
  const content = unwrap(key, name, wrapped);
  content?.fill(0);
  return content !== undefined;
}
