/** A public body (`publicBody`) taken apart. */
export interface SplitBody {
  /** The JSON of each listed commitment by its ID, in the order of the list. */
  readonly commitments: ReadonlyMap<string, string>;
  /** All other fields, as a JSON object. */
  readonly totals: string;
}

const LIST_BEGIN = '{"Commitments":'.length;
/** No JSON text within the list holds it later than its end, since a quotation mark in a string is escaped. */
const TOTALS_BEGIN = ',"TotalCommitmentAmount":';

interface ListedCommitment {
  readonly CommitmentID: string;
}

/** @param body as `publicBody` makes it */
export function splitBody(body: Buffer): SplitBody {
  const text = body.toString("utf8");
  const listEnd = text.lastIndexOf(TOTALS_BEGIN);
  const list: readonly ListedCommitment[] = JSON.parse(text.slice(LIST_BEGIN, listEnd));
  return {
    commitments: new Map(list.map((commitment) => [commitment.CommitmentID, JSON.stringify(commitment)])),
    // As text, since a count may be larger than a JavaScript number can be.
    totals: `{${text.slice(listEnd + 1)}`,
  };
}

/**
 * What makes of one body another, as JSON: take `Removed` and `Upserted` from the list, insert those of `Upserted` at
 * their `Index` in the order given, and take all other fields from `Totals`. Undefined where that isn't enough, as
 * commitments that stay have changed their order.
 */
export function differenceJson(before: SplitBody, after: SplitBody): string | undefined {
  const stayedBefore = idsAlsoIn(before, after);
  const stayedAfter = idsAlsoIn(after, before);
  if (stayedBefore.some((id, index) => id !== stayedAfter[index])) return undefined;
  const removed = Array.from(before.commitments.keys()).filter((id) => !after.commitments.has(id));
  const upserted = Array.from(after.commitments.entries(), ([id, json], index) => ({ id, json, index }))
    .filter(({ id, json }) => before.commitments.get(id) !== json)
    .map(({ json, index }) => `{"Index":${index},"Commitment":${json}}`);
  return `{"Removed":${JSON.stringify(removed)},"Upserted":[${upserted.join()}],"Totals":${after.totals}}`;
}

/** The IDs of the commitments that are the same in another body, in order. */
function idsAlsoIn({ commitments }: SplitBody, other: SplitBody): string[] {
  return Array.from(commitments)
    .filter(([id, json]) => other.commitments.get(id) === json)
    .map(([id]) => id);
}
