import { describe, expect, it } from "vitest";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { AuthDatabase } from "../base/schema.ts";
import { accountClient } from "../testing/account-client.ts";

/** Tables whose rows outlive the account, with the condition under which that is harmless. */
const OUTLIVING: Readonly<Record<string, (row: Readonly<Record<string, unknown>>) => boolean>> = {
  // Records what happened, under a UUID that no longer leads to a person.
  audit: () => true,
  // The code for a change of the address is valid only together with a session of the account.
  sign_in: () => true,
  // Names the deleted account until the entities service has deleted its entities.
  account_erasure: () => true,
  // Revoked, and kept until it expires so that a replay is recognised.
  token_family: (row) => row["revoked_at_ms"] !== null,
};

describe("deleteAccount", () => {
  it("leaves no usable row of the account in any table that has a column for accounts", async () => {
    const { accounts, context, signIn } = await accountClient();
    const { database } = context;
    const sessionToken = await signIn("a@example.com");
    const { account } = await accounts.getSession({ sessionToken });
    const uuid = account?.uuid ?? "";
    const tables = await insertRowInEachTable(database, uuid);
    expect(tables).toEqual(
      expect.arrayContaining(["session", "member", "founder", "consent", "token_family", "known_network", "recovery"]),
    );
    // One of the rows is a passkey, without which the account can no longer be deleted.
    await database.query.updateTable("session").set({ authenticated_by: "passkey" }).execute();
    await accounts.deleteAccount({ sessionToken });
    for (const table of tables) {
      const isHarmless = OUTLIVING[table] ?? (() => false);
      expect((await rowsOf(database, table, uuid)).filter((row) => !isHarmless(row))).toEqual([]);
    }
  });
});

/** Inserts a row of the account into each table with a column for accounts. @returns the names of all such tables. */
async function insertRowInEachTable({ query }: AuthDatabase, accountUuid: string): Promise<readonly string[]> {
  const tables = await query.introspection.getTables();
  const withAccount = tables.filter(({ columns }) => columns.some(({ name }) => name === "account"));
  for (const { name, columns } of withAccount.filter(({ name }) => name !== "account")) {
    const required = columns.filter((column) => !column.isNullable && column.name !== "account");
    const values = Object.fromEntries(required.map((column) => [column.name, sampleValue(column.dataType)]));
    const row = { ...values, account: bytesOfHex(accountUuid) };
    await query.withTables<Record<string, Record<string, unknown>>>().insertInto(name).values(row).execute();
  }
  return withAccount.map(({ name }) => name);
}

function sampleValue(dataType: string): Buffer | string | bigint {
  if (/blob|binary/i.test(dataType)) return Buffer.alloc(16, 1);
  return /int/i.test(dataType) ? 1n : "sample";
}

async function rowsOf({ query }: AuthDatabase, table: string, accountUuid: string) {
  const anyTable = query.withTables<Record<string, Record<string, unknown>>>();
  return anyTable.selectFrom(table).selectAll().where("account", "=", bytesOfHex(accountUuid)).execute();
}
