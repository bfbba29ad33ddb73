import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { deleteExpiredRows } from "../../../common/platform/db/expired-rows.ts";
import { migrateStore, openStore } from "../../../services/auth/base/open-store.ts";
import type { AuthDatabase } from "../../../services/auth/base/schema.ts";
import { expiredRows } from "../../../services/auth/expired-rows.ts";
import { describeEachDatabase } from "../../support/databases/databases.ts";
import { authStore } from "../../support/processes/auth-fixture.ts";

const NOW = 1_800_000_000_000n;
const MINUTE = 60_000n;
const HOUR = 60n * MINUTE;
const DAY = 24n * HOUR;
const AUDIT = 400n * DAY;

const hash = () => randomBytes(32);
const id = () => randomBytes(16);

describeEachDatabase("expired rows of auth", (variant) => {
  let database: AuthDatabase;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    const created = await variant.create();
    remove = created.remove;
    database = await openStore(authStore(created));
    await migrateStore(database);
  });
  afterAll(async () => {
    await database.close();
    await remove();
  });

  const expire = () => deleteExpiredRows(database, expiredRows(NOW, AUDIT), new AbortController().signal);

  it("are deleted, each kind after its own time, and valid rows stay", async () => {
    await insertRows(NOW - 1n, "gone");
    await insertRows(NOW, "kept");
    await expire();
    expect(await remaining()).toEqual({
      sign_in: ["kept"],
      session: ["kept idle", "kept old"],
      passkey_challenge: [NOW],
      recovery_pass: [NOW],
      authorization_request: ["kept"],
      authorization_code: ["kept"],
      refresh_token: [NOW],
      token_family: ["kept"],
      mail_count: [1],
      known_network: [NOW - 90n * DAY],
      rate_window: [NOW - HOUR],
      audit: ["kept"],
    });
  });

  it("are deleted, however many there are", async () => {
    const rows = Array.from({ length: 1_200 }, (_, index) => ({
      event_id: id(),
      at_ms: NOW - AUDIT - BigInt(index % 7) - 1n,
      event: "gone",
      details: "{}",
    }));
    await database.query.insertInto("audit").values(rows).execute();
    await expire();
    expect((await remaining()).audit).toEqual(["kept"]);
  });

  /** Inserts a row that expires at `endMs` into each table, with `mark` in one of its columns if possible. */
  async function insertRows(endMs: bigint, mark: string): Promise<void> {
    const { query } = database;
    const holder = { client: id(), account: id(), scopes: "" };
    const times = { authenticated_at_ms: 0n, created_at_ms: 0n };
    // Those of the last hour are counted.
    const signIn = { sign_in: hash(), browser: hash(), purpose: "sign_in" as const, email: mark, code_mac: hash() };
    await query
      .insertInto("sign_in")
      .values({ ...signIn, tries: 0, created_at_ms: 0n, expires_at_ms: endMs - HOUR })
      .execute();
    await query
      .insertInto("passkey_challenge")
      .values({ challenge: hash(), browser: hash(), purpose: "sign_in", created_at_ms: 0n, expires_at_ms: endMs })
      .execute();
    await query
      .insertInto("recovery_pass")
      .values({ token: hash(), account: id(), created_at_ms: 0n, expires_at_ms: endMs })
      .execute();
    const session = () => ({ token: hash(), session: id(), account: id(), ...times });
    const forEver = NOW + DAY;
    await query
      .insertInto("session")
      .values([
        { ...session(), last_seen_at_ms: NOW, expires_at_ms: endMs, user_agent: `${mark} old` },
        { ...session(), last_seen_at_ms: endMs - 12n * HOUR, expires_at_ms: forEver, user_agent: `${mark} idle` },
      ])
      .execute();
    const request = { request: hash(), browser: hash(), client: id(), redirect_uri: mark, scopes: "" };
    await query
      .insertInto("authorization_request")
      .values({ ...request, code_challenge: "", prompt: "", created_at_ms: 0n, expires_at_ms: endMs - DAY })
      .execute();
    const code = { code: hash(), family: id(), redirect_uri: mark, code_challenge: "", token_generation: 0n };
    await query
      .insertInto("authorization_code")
      .values({ ...holder, ...times, ...code, expires_at_ms: endMs - DAY })
      .execute();
    const family = { family: id(), token_generation: 0n, expires_at_ms: endMs };
    await query
      .insertInto("token_family")
      .values({ ...holder, ...times, ...family, scopes: mark })
      .execute();
    const token = { token: hash(), family: id(), created_at_ms: 0n, expires_at_ms: endMs };
    await query.insertInto("refresh_token").values(token).execute();
    await query
      .insertInto("mail_count")
      .values({ address: hash(), hour: endMs / HOUR - 24n, sends: mark === "kept" ? 1 : 2 })
      .execute();
    await query
      .insertInto("known_network")
      .values({ network: hash(), account: id(), signed_in_at_ms: endMs - 90n * DAY })
      .execute();
    await query
      .insertInto("rate_window")
      .values({ counter: hash(), window_start_ms: endMs - HOUR, taken: 1n })
      .execute();
    await query
      .insertInto("audit")
      .values({ event_id: id(), at_ms: endMs - AUDIT, event: mark, details: "{}" })
      .execute();
  }

  async function remaining() {
    const { query } = database;
    const column = async <Row, Value>(rows: Promise<readonly Row[]>, value: (row: Row) => Value) =>
      (await rows).map(value).toSorted();
    return {
      sign_in: await column(query.selectFrom("sign_in").select("email").execute(), ({ email }) => email),
      session: await column(query.selectFrom("session").selectAll().execute(), (row) => row.user_agent),
      passkey_challenge: await column(query.selectFrom("passkey_challenge").selectAll().execute(), (row) =>
        BigInt(row.expires_at_ms),
      ),
      recovery_pass: await column(query.selectFrom("recovery_pass").selectAll().execute(), (row) =>
        BigInt(row.expires_at_ms),
      ),
      authorization_request: await column(
        query.selectFrom("authorization_request").selectAll().execute(),
        (row) => row.redirect_uri,
      ),
      authorization_code: await column(
        query.selectFrom("authorization_code").selectAll().execute(),
        (row) => row.redirect_uri,
      ),
      refresh_token: await column(query.selectFrom("refresh_token").selectAll().execute(), (row) =>
        BigInt(row.expires_at_ms),
      ),
      token_family: await column(query.selectFrom("token_family").selectAll().execute(), (row) => row.scopes),
      mail_count: await column(query.selectFrom("mail_count").selectAll().execute(), (row) => Number(row.sends)),
      known_network: await column(query.selectFrom("known_network").selectAll().execute(), (row) =>
        BigInt(row.signed_in_at_ms),
      ),
      rate_window: await column(query.selectFrom("rate_window").selectAll().execute(), (row) =>
        BigInt(row.window_start_ms),
      ),
      audit: await column(query.selectFrom("audit").select("event").execute(), (row) => row.event),
    };
  }
});
