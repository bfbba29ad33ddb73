import { expect, it, vi } from "vitest";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { findOrCreateAccount } from "../accounts/accounts-store.ts";
import { newOpaqueToken, opaqueTokenHash } from "../base/opaque-token.ts";
import type { AuthDatabase } from "../base/schema.ts";
import { openAuthDatabase } from "../testing/auth-database.ts";
import {
  endAllSessions,
  endSessionByToken,
  endSessionByUuid,
  findSession,
  listSessions,
  startSession,
} from "./sessions-store.ts";

const NOW = 1_800_000_000_000n;
const MINUTE = 60_000n;
const HOUR = 60n * MINUTE;

async function signIn(database: AuthDatabase, email: string, nowMs = NOW) {
  const token = newOpaqueToken();
  const session = await database.write(async (transaction) => {
    const account = await findOrCreateAccount(transaction, database.dialect, email, nowMs);
    return startSession(transaction, { token, account, userAgent: "Firefox", authenticatedBy: "code" }, nowMs);
  });
  return { token, session };
}

it("finds a session by its token, of which only a hash is stored", async () => {
  const database = await openAuthDatabase();
  const { token, session } = await signIn(database, "a@example.com");
  expect(await findSession(database, token, NOW + 1n)).toEqual(session);
  expect(await findSession(database, newOpaqueToken(), NOW)).toBeUndefined();
  expect(await findSession(database, "", NOW)).toBeUndefined();
  const [row] = await database.query.selectFrom("session").selectAll().execute();
  expect(Buffer.from(row?.token ?? [])).toEqual(opaqueTokenHash(token));
  expect(session).toMatchObject({
    email: "a@example.com",
    authenticatedAtMs: NOW,
    expiresAtMs: NOW + 14n * 24n * HOUR,
  });
});

it("keeps a session live while it is used, for 14 days at most, and stores its use once a minute", async () => {
  const database = await openAuthDatabase();
  const { token } = await signIn(database, "a@example.com");
  const writes = vi.spyOn(database, "retry");
  await findSession(database, token, NOW + MINUTE - 1n);
  const reads = writes.mock.calls.length;
  await findSession(database, token, NOW + MINUTE);
  expect(writes.mock.calls.length).toBe(2 * reads + 1);
  let atMs = NOW + MINUTE;
  for (; atMs + 12n * HOUR - 1n < NOW + 14n * 24n * HOUR; atMs += 12n * HOUR - 1n) {
    expect(await findSession(database, token, atMs)).toBeDefined();
  }
  expect(await findSession(database, token, NOW + 14n * 24n * HOUR)).toBeUndefined();
});

it("ends a session after 12 hours without use", async () => {
  const database = await openAuthDatabase();
  const { token } = await signIn(database, "a@example.com");
  expect(await findSession(database, token, NOW + 12n * HOUR)).toBeUndefined();
});

it("lists the live sessions of an account, the last used first", async () => {
  const database = await openAuthDatabase();
  const old = await signIn(database, "a@example.com", NOW - 13n * HOUR);
  const first = await signIn(database, "a@example.com", NOW - HOUR);
  const second = await signIn(database, "a@example.com", NOW);
  await signIn(database, "b@example.com", NOW);
  const { accountUuid } = old.session;
  const uuids = async (nowMs: bigint) =>
    (await listSessions(database.query, accountUuid, nowMs)).map(({ uuid }) => uuid);
  expect(await uuids(NOW)).toEqual([second.session.uuid, first.session.uuid]);
  await findSession(database, first.token, NOW + HOUR);
  expect(await uuids(NOW + HOUR)).toEqual([first.session.uuid, second.session.uuid]);
});

it("ends one session by its token, one of an account by its UUID, or all of an account", async () => {
  const database = await openAuthDatabase();
  const [one, two, three] = [
    await signIn(database, "a@example.com"),
    await signIn(database, "a@example.com"),
    await signIn(database, "a@example.com"),
  ];
  const other = await signIn(database, "b@example.com");
  const { accountUuid } = one.session;
  expect(await database.write((transaction) => endSessionByToken(transaction, one.token))).toEqual({
    uuid: one.session.uuid,
    accountUuid,
  });
  expect(await database.write((transaction) => endSessionByToken(transaction, one.token))).toBeUndefined();
  expect(await database.write((transaction) => endSessionByUuid(transaction, accountUuid, two.session.uuid))).toBe(
    true,
  );
  expect(await database.write((transaction) => endSessionByUuid(transaction, accountUuid, other.session.uuid))).toBe(
    false,
  );
  await database.write((transaction) => endAllSessions(transaction, accountUuid));
  expect(await findSession(database, three.token, NOW)).toBeUndefined();
  expect(await findSession(database, other.token, NOW)).toBeDefined();
});

it("finds no session whose account was deleted", async () => {
  const database = await openAuthDatabase();
  const { token, session } = await signIn(database, "a@example.com");
  await database.query.deleteFrom("account").where("account", "=", bytesOfHex(session.accountUuid)).execute();
  expect(await findSession(database, token, NOW)).toBeUndefined();
});
