import type { Kysely } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { Entity } from "../base/entity.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { entityOfRow } from "../entities/entities-store.ts";

/** The hex digits of a page's key: eight bytes of time, and the entity. */
export const REVIEW_KEY_DIGITS = 48;
const TIME_DIGITS = 16;

/** Returns entities that wait for a reviewer, the longest waiting first. @param after a key (`reviewKey`); empty for the first page */
export async function readReviews(
  query: Kysely<EntitiesSchema>,
  { after, limit, entityUuid }: { readonly after: string; readonly limit: number; readonly entityUuid: string },
): Promise<readonly Entity[]> {
  let waiting = query.selectFrom("entity").selectAll().where("submitted_at_ms", "is not", null);
  if (entityUuid !== "") waiting = waiting.where("entity", "=", bytesOfHex(entityUuid));
  if (after !== "") {
    const submittedAtMs = BigInt(`0x${after.slice(0, TIME_DIGITS)}`);
    waiting = waiting.where((either) =>
      either.or([
        either("submitted_at_ms", ">", submittedAtMs),
        either.and([
          either("submitted_at_ms", "=", submittedAtMs),
          either("entity", ">", bytesOfHex(after.slice(TIME_DIGITS))),
        ]),
      ]),
    );
  }
  const rows = await waiting.orderBy("submitted_at_ms").orderBy("entity").limit(limit).execute();
  return rows.map(entityOfRow);
}

/** The key of a page: it continues after this entity. */
export function reviewKey({ submittedAtMs = 0n, uuid }: Entity): string {
  return submittedAtMs.toString(16).padStart(TIME_DIGITS, "0") + uuid.replaceAll("-", "");
}
