import type { Kysely, Transaction } from "kysely";
import type { SqlDialect } from "../../shared/db/sql/dialect.ts";
import { bytesOfHex } from "../../shared/encoding/hex.ts";
import { ServiceError } from "../../shared/errors/service-error.ts";
import type { EntitiesSchema } from "../schema/schema.ts";
import { DEFAULT_RULES, type ParticipationRules } from "./participation-rules.ts";
import { rulesOfText, rulesText } from "./rules-text.ts";

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

/**
 * Replaces the rules of a sale.
 *
 * @returns the new version
 * @throws ServiceError `aborted` if they aren't those of `expectedVersion` any more. Where two callers set the first rules
 *   at once, one gets an error for which `isDuplicateKey` is true: use `writeLocked`
 */
export async function writeRules(
  transaction: Transaction<EntitiesSchema>,
  dialect: SqlDialect,
  saleUuid: string,
  { rules, expectedVersion }: { readonly rules: ParticipationRules; readonly expectedVersion: bigint },
  nowMs: bigint,
): Promise<bigint> {
  const sale = bytesOfHex(saleUuid);
  const stored = transaction.selectFrom("sale_rules").select("version").where("sale", "=", sale);
  const version = BigInt((await dialect.lockRows(stored).executeTakeFirst())?.version ?? 0n);
  if (version !== expectedVersion) {
    throw new ServiceError("aborted", "the rules were changed meanwhile: read them again");
  }
  const row = { version: version + 1n, rules: rulesText(rules), updated_at_ms: nowMs };
  if (version === 0n)
    await transaction
      .insertInto("sale_rules")
      .values({ sale, ...row })
      .execute();
  else await transaction.updateTable("sale_rules").set(row).where("sale", "=", sale).execute();
  return row.version;
}
