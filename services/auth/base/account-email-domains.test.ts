import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { openAuthDatabase } from "../testing/auth-database.ts";
import { convertEmailDomains } from "./account-email-domains.ts";
import { migrations } from "./migrations.ts";

it("gives addresses with a domain in Unicode their one spelling, reports clashes, and leaves all else as it is", async () => {
  const database = await openAuthDatabase();
  const stored = [
    ["ann@bücher.example", "ann@xn--bcher-kva.example"],
    ["bo@bu\u0308cher.example", "bo@xn--bcher-kva.example"],
    ["bo@bücher.example", "bo@bücher.example"],
    ["cy@xn--bcher-kva.example", "cy@xn--bcher-kva.example"],
    ["cy@bücher.example", "cy@bücher.example"],
    ["dé@bücher.example", "dé@bücher.example"],
    ["eve@example.com", "eve@example.com"],
  ] as const;
  const accounts = stored.map(([email, expected], index) => ({ id: randomBytes(16), email, expected, index }));
  const idOf = (email: string) => accounts.find((account) => account.email === email)?.id.toString("hex");
  for (const { id, email, index } of accounts) {
    const others = { user_handle: null, passkey_required: null, locks: null };
    await database.query
      .insertInto("account")
      .values({ account: id, email, created_at_ms: BigInt(index), ...others })
      .execute();
  }
  const emails = async () => {
    const rows = await database.query.selectFrom("account").select(["account", "email"]).execute();
    const byId = new Map(rows.map(({ account, email }) => [Buffer.from(account).toString("hex"), email]));
    return accounts.map(({ id }) => byId.get(id.toString("hex")));
  };
  const migration = convertEmailDomains(database.dialect);
  await migration.up(database.query);
  expect(await emails()).toEqual(stored.map(([, expected]) => expected));
  const events = await database.query.selectFrom("audit").selectAll().orderBy("details").execute();
  const uuid = (hex = "") => hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  expect(
    events.map(({ event, account, details }) => [
      event,
      Buffer.from(account ?? []).toString("hex"),
      JSON.parse(details) as unknown,
    ]),
  ).toEqual(
    expect.arrayContaining([
      [
        "account.email_not_converted",
        idOf("bo@bücher.example"),
        { other_account: uuid(idOf("bo@bu\u0308cher.example")) },
      ],
      [
        "account.email_not_converted",
        idOf("cy@bücher.example"),
        { other_account: uuid(idOf("cy@xn--bcher-kva.example")) },
      ],
      ["account.email_not_converted", idOf("dé@bücher.example"), { reason: "no valid address" }],
    ]),
  );
  expect(events).toHaveLength(3);
  expect(Object.keys(migrations(database.dialect))).toContain("080_account_email_domains");
});
