import type { Kysely, Transaction } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { Principal } from "../../../common/platform/rpc/identity/principal.ts";
import type { ReviewEntryTable } from "../base/audit-tables.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { eventId } from "./audit-store.ts";

/** A note, question or answer of a review. */
export interface ReviewEntry {
  readonly kind: ReviewEntryTable["kind"];
  readonly content: string;
  readonly atMs: bigint;
  /** The account of its author; undefined for an operator. */
  readonly accountUuid?: string | undefined;
}

/** The most entries of a list. */
const MAX_LISTED = 100;

/** Stores what somebody has written about an entity, which the transaction must have locked. */
export async function storeEntry(
  transaction: Transaction<EntitiesSchema>,
  entityUuid: string,
  { kind, content, by }: Pick<ReviewEntry, "kind" | "content"> & { readonly by: Principal },
  nowMs: bigint,
): Promise<void> {
  const account = by.kind === "person" ? bytesOfHex(by.accountUuid) : null;
  const row = { entry: eventId(nowMs), entity: bytesOfHex(entityUuid), kind, account, content, at_ms: nowMs };
  await transaction.insertInto("review_entry").values(row).execute();
}

/** Returns what was written about an entity, the newest first. */
export async function readEntries(
  query: Kysely<EntitiesSchema>,
  entityUuid: string,
  kinds: readonly ReviewEntry["kind"][],
): Promise<readonly ReviewEntry[]> {
  const rows = await query
    .selectFrom("review_entry")
    .select(["kind", "content", "at_ms", "account"])
    .where("entity", "=", bytesOfHex(entityUuid))
    .where("kind", "in", kinds)
    .orderBy("at_ms", "desc")
    .orderBy("entry", "desc")
    .limit(MAX_LISTED)
    .execute();
  return rows.map(({ kind, content, at_ms, account }) => ({
    kind,
    content,
    atMs: BigInt(at_ms),
    accountUuid: account === null ? undefined : uuidFromBytes(account),
  }));
}

/** Deletes what was written about an entity. */
export async function deleteEntries(transaction: Transaction<EntitiesSchema>, entityUuid: string): Promise<void> {
  await transaction.deleteFrom("review_entry").where("entity", "=", bytesOfHex(entityUuid)).execute();
}
