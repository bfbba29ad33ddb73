import type { SaleUpdated } from "../../../proto/gen/tidemark/commitments/v1/sale_updated_pb.ts";
import { hex, type ListedCommitment, listedCommitment, PublicBody } from "./public-body.ts";

/** Commitments in the list, the latest first (`CommitmentData.commitments`). */
const LIST_LIMIT = 100;

/**
 * Returns the body at the revision of an event, made from the body one revision earlier. Undefined where the event
 * lacks some of the changes, or the figures that it changed aren't those of the body.
 *
 * @throws as `publicBody` does
 */
export function nextBody({ listed, figures }: PublicBody, event: SaleUpdated): PublicBody | undefined {
  const { changes, totalAmount, commitmentCount, clearingPrice } = event;
  if (changes === undefined) return undefined;
  const { totalAmountBefore, commitmentCountBefore, upserted, removedIds } = changes;
  if (figures.totalAmount !== totalAmountBefore || figures.commitmentCount !== commitmentCountBefore) return undefined;
  const list = nextList(listed, upserted.map(listedCommitment), removedIds.map(hex));
  const isWhole = list !== undefined && BigInt(list.length) === minimum(commitmentCount, BigInt(LIST_LIMIT));
  const { clearingPrice: _, ...terms } = figures;
  const next = { ...terms, totalAmount, commitmentCount, ...(clearingPrice && { clearingPrice }) };
  return isWhole ? new PublicBody(list, next) : undefined;
}

/** Returns the next list; undefined where a commitment may belong into it that was outside the list before. */
function nextList(
  listed: readonly ListedCommitment[],
  upserted: readonly ListedCommitment[],
  removed: readonly string[],
): readonly ListedCommitment[] | undefined {
  const gone = new Set([...removed, ...upserted.map(({ id }) => id)]);
  const next = [...listed.filter(({ id }) => !gone.has(id)), ...upserted].sort(compare).slice(0, LIST_LIMIT);
  // Commitments behind the last one of a full list are unknown here.
  const lastKnown = listed.length < LIST_LIMIT ? undefined : listed.at(-1);
  if (lastKnown === undefined) return next;
  const last = next[LIST_LIMIT - 1];
  return last !== undefined && compare(last, lastKnown) <= 0 ? next : undefined;
}

/** Orders by creation time descending, then by commitment ID ascending. */
function compare(left: ListedCommitment, right: ListedCommitment): number {
  if (left.createdAt !== right.createdAt) return left.createdAt > right.createdAt ? -1 : 1;
  return left.id < right.id ? -1 : left.id > right.id ? 1 : 0;
}

function minimum(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}
