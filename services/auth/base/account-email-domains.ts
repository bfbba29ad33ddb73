import { randomBytes } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { readEmailAddress } from "../../../common/platform/names/email-address.ts";
import type { AccountTable, AuthSchema } from "./schema.ts";

/**
 * Gives accounts whose address has a domain in Unicode the one spelling of it. Only SQLite can hold such an address, as MySQL's column
 * is ASCII. An address that is another account's in that spelling stays as it is, since nobody knows whether both are one person; the
 * audit table then has `account.email_not_converted`.
 */
export function convertEmailDomains(dialect: Pick<SqlDialect, "nowMillis">): Migration {
  return {
    async up(database: Kysely<unknown>) {
      const query = database as Kysely<AuthSchema>;
      const accounts = await query
        .selectFrom("account")
        .select(["account", "email"])
        .where(sql<boolean>`length(hex(email)) <> 2 * length(email)`)
        .orderBy("created_at_ms")
        .orderBy("account")
        .execute();
      for (const account of accounts) await convert(query, account, dialect);
    },
  };
}

async function convert(
  query: Kysely<AuthSchema>,
  { account, email }: Pick<AccountTable, "account" | "email">,
  { nowMillis }: Pick<SqlDialect, "nowMillis">,
): Promise<void> {
  const converted = readEmailAddress(email);
  if (converted === undefined) return report(query, account, { reason: "no valid address" }, { nowMillis });
  const other = await query.selectFrom("account").select("account").where("email", "=", converted).executeTakeFirst();
  if (other !== undefined)
    return report(query, account, { other_account: uuidFromBytes(other.account) }, { nowMillis });
  await query.updateTable("account").set({ email: converted }).where("account", "=", account).execute();
}

async function report(
  query: Kysely<AuthSchema>,
  account: Uint8Array,
  details: Readonly<Record<string, string>>,
  { nowMillis }: Pick<SqlDialect, "nowMillis">,
): Promise<void> {
  const event = { event: "account.email_not_converted", details: JSON.stringify(details) };
  const ids = { event_id: randomBytes(16), at_ms: sql<bigint>`${nowMillis}`, account, client: null, sale: null };
  await query
    .insertInto("audit")
    .values({ ...ids, ...event })
    .execute();
}
