import type { PublicBody } from "../public-read/cache/public-body.ts";

/** The parts of a body that are compared. */
export type ComparedBody = Pick<PublicBody, "listed" | "figuresJson">;

/**
 * Returns the difference between two bodies as JSON. To apply it to the body of the event `appliesTo`, and to no other: remove the commitments of `Removed` and `Upserted`
 * from the list, insert those of `Upserted` at their `Index` in the given order, and take all other fields from
 * `Totals`. Undefined where commitments that stay have changed their order, which no difference can express.
 */
export function differenceJson(appliesTo: string, before: ComparedBody, after: ComparedBody): string | undefined {
  const [textBefore, textAfter] = [textById(before), textById(after)];
  const stayedBefore = before.listed.filter(({ commitmentId, json }) => textAfter.get(commitmentId) === json);
  const stayedAfter = after.listed.filter(({ commitmentId, json }) => textBefore.get(commitmentId) === json);
  if (stayedBefore.some(({ commitmentId }, index) => commitmentId !== stayedAfter[index]?.commitmentId))
    return undefined;
  const removed = before.listed.map(({ commitmentId }) => commitmentId).filter((id) => !textAfter.has(id));
  const upserted = after.listed
    .map(({ commitmentId, json }, index) => ({ commitmentId, json, index }))
    .filter(({ commitmentId, json }) => textBefore.get(commitmentId) !== json)
    .map(({ json, index }) => `{"Index":${index},"Commitment":${json}}`);
  return `{"AppliesTo":"${appliesTo}","Removed":${JSON.stringify(removed)},"Upserted":[${upserted.join()}],"Totals":{${after.figuresJson}}}`;
}

function textById({ listed }: ComparedBody): ReadonlyMap<string, string> {
  return new Map(listed.map(({ commitmentId, json }) => [commitmentId, json]));
}
