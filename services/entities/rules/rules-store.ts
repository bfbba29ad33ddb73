import type { Kysely, Transaction } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { DEFAULT_RULES, type ParticipationRules, rulesOfText, rulesText } from "./participation-rules.ts";

/** The rules of a sale with the number of times that they were set. */
export interface VersionedRules {
  readonly rules: ParticipationRules;
  /** 0 for the defaults. */
  readonly version: bigint;
}

/** Returns the rules of a sale; the defaults if it has none yet. */
export async function readRules(query: Kysely<EntitiesSchema>, saleUuid: string): Promise<VersionedRules> {
  const row = await query
    .selectFrom("sale_rules")
    .select(["rules", "version"])
    .where("sale", "=", bytesOfHex(saleUuid))
    .executeTakeFirst();
  if (row === undefined) return { rules: DEFAULT_RULES, version: 0n };
  return { rules: rulesOfText(row.rules), version: BigInt(row.version) };
}

/** Returns those of some sales in which taking part is on. */
export async function salesTakingPart(
  query: Kysely<EntitiesSchema>,
  saleUuids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (saleUuids.length === 0) return new Set();
  const rows = await query
    .selectFrom("sale_rules")
    .select(["sale", "rules"])
    .where("sale", "in", saleUuids.map(bytesOfHex))
    .execute();
  return new Set(rows.filter(({ rules }) => rulesOfText(rules).enabled).map(({ sale }) => uuidFromBytes(sale)));
}

/**
 * Replaces the rules of a sale. The transaction must have locked the sale (`lockSale`).
 *
 * @returns the new version
 * @throws ServiceError `aborted` if they aren't those of `expectedVersion` any more
 */
export async function writeRules(
  transaction: Transaction<EntitiesSchema>,
  saleUuid: string,
  { rules, expectedVersion }: { readonly rules: ParticipationRules; readonly expectedVersion: bigint },
  nowMs: bigint,
): Promise<bigint> {
  const sale = bytesOfHex(saleUuid);
  const { version } = await readRules(transaction, saleUuid);
  if (version !== expectedVersion) throw rulesChanged();
  const row = { version: version + 1n, rules: rulesText(rules), updated_at_ms: nowMs };
  if (version === 0n)
    await transaction
      .insertInto("sale_rules")
      .values({ sale, ...row })
      .execute();
  else await transaction.updateTable("sale_rules").set(row).where("sale", "=", sale).execute();
  return row.version;
}

/** The error for rules that aren't those on which a change is based. */
export function rulesChanged(): ServiceError {
  return new ServiceError("aborted", "the rules were changed meanwhile: read them again");
}

/** Deletes the rules and freezes of a sale, and the numbers of its members and denied wallets. */
export async function deleteRules(transaction: Transaction<EntitiesSchema>, saleUuid: string): Promise<void> {
  const sale = bytesOfHex(saleUuid);
  for (const table of ["sale_rules", "freeze", "participant_count"] as const) {
    await transaction.deleteFrom(table).where("sale", "=", sale).execute();
  }
}
