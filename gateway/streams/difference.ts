import type { PublicBody } from "../public-read/cache/public-body.ts";

/** The parts of a body that are compared. */
export type ComparedBody = Pick<PublicBody, "listed" | "figuresJson">;

/**
 * Returns the difference between two bodies as JSON. To apply it: remove the commitments of `Removed` and `Upserted`
 * from the list, insert those of `Upserted` at their `Index` in the given order, and take all other fields from
 * `Totals`. Undefined where commitments that stay have changed their order, which no difference can express.
 */
export function differenceJson(before: ComparedBody, after: ComparedBody): string | undefined {
  const [textBefore, textAfter] = [textById(before), textById(after)];
  const stayedBefore = before.listed.filter(({ id, json }) => textAfter.get(id) === json);
  const stayedAfter = after.listed.filter(({ id, json }) => textBefore.get(id) === json);
  if (stayedBefore.some(({ id }, index) => id !== stayedAfter[index]?.id)) return undefined;
  const removed = before.listed.filter(({ id }) => !textAfter.has(id)).map(({ id }) => id);
  const upserted = after.listed
    .map(({ id, json }, index) => ({ id, json, index }))
    .filter(({ id, json }) => textBefore.get(id) !== json)
    .map(({ json, index }) => `{"Index":${index},"Commitment":${json}}`);
  return `{"Removed":${JSON.stringify(removed)},"Upserted":[${upserted.join()}],"Totals":{${after.figuresJson}}}`;
}

function textById({ listed }: ComparedBody): ReadonlyMap<string, string> {
  return new Map(listed.map(({ id, json }) => [id, json]));
}
