import { randomUUID } from "node:crypto";
import type { Kysely, Transaction } from "kysely";
import type { ExpiredRows } from "../../../common/platform/db/expired-rows.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { type AuthenticationMethod, authenticationMethod, SIGNED_IN_WITH_CODE } from "../base/authentication-method.ts";
import { SESSION_IDLE_MS, SESSION_LIFETIME_MS } from "../base/lifetimes.ts";
import { opaqueTokenHash } from "../base/opaque-token.ts";
import type { AuthDatabase, AuthSchema, SessionTable } from "../base/schema.ts";
import { isLive, needsTouch, type Session } from "./session.ts";

/**
 * More than an account gets with codes, of which an address is mailed at most 20 a day. Sign-ins with passkeys aren't bounded
 * so: of more sessions than this, the last used are listed.
 */
const MAX_LISTED = 500;

export interface SessionStart {
  /** A new secret, for the cookie. */
  readonly token: string;
  readonly account: { readonly uuid: string; readonly email: string };
  readonly userAgent: string;
  readonly authenticatedBy: AuthenticationMethod;
}

/** Starts a session for a person who has just signed in. */
export async function startSession(
  transaction: Transaction<AuthSchema>,
  { token, account, userAgent, authenticatedBy }: SessionStart,
  nowMs: bigint,
): Promise<Session> {
  const session: Session = {
    uuid: randomUUID(),
    accountUuid: account.uuid,
    email: account.email,
    createdAtMs: nowMs,
    authenticatedAtMs: nowMs,
    authenticatedBy,
    lastSeenAtMs: nowMs,
    expiresAtMs: nowMs + SESSION_LIFETIME_MS,
    userAgent,
  };
  await transaction
    .insertInto("session")
    .values({
      token: opaqueTokenHash(token),
      session: bytesOfHex(session.uuid),
      account: bytesOfHex(account.uuid),
      created_at_ms: nowMs,
      authenticated_at_ms: nowMs,
      last_seen_at_ms: nowMs,
      expires_at_ms: session.expiresAtMs,
      user_agent: userAgent,
      authenticated_by: authenticatedBy,
    })
    .execute();
  return session;
}

/** Returns the live session of a cookie's token, and stores that it was used. */
export async function findSession(database: AuthDatabase, token: string, nowMs: bigint): Promise<Session | undefined> {
  if (token === "") return undefined;
  return useSession(database, token, await database.read((query) => readSession(query, token)), nowMs);
}

/** Returns the session that was read by a cookie's token if it is live, and stores that it was used. */
export async function useSession<Read extends Session>(
  database: AuthDatabase,
  token: string,
  session: Read | undefined,
  nowMs: bigint,
): Promise<Read | undefined> {
  if (session === undefined || !isLive(session, nowMs)) return undefined;
  if (needsTouch(session, nowMs)) await touch(database, token, nowMs);
  return session;
}

/** Returns the session of a cookie's token, live or not. */
export async function readSession(query: Kysely<AuthSchema>, token: string): Promise<Session | undefined> {
  const row = await sessionsOfToken(query, token).executeTakeFirst();
  return row && sessionOfRow(row);
}

/** Selects the session of a cookie's token, live or not; `sessionOfRow` reads its row. */
export function sessionsOfToken(query: Kysely<AuthSchema>, token: string) {
  return withEmail(query).where("session.token", "=", opaqueTokenHash(token));
}

/** Whether an account still has a session, which was live when it was read. */
export async function hasSession(
  query: Kysely<AuthSchema>,
  { accountUuid, uuid }: Pick<Session, "accountUuid" | "uuid">,
): Promise<boolean> {
  const row = await query
    .selectFrom("session")
    .select("session")
    .where("account", "=", bytesOfHex(accountUuid))
    .where("session", "=", bytesOfHex(uuid))
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the live sessions of an account, the last used first. */
export async function listSessions(query: Kysely<AuthSchema>, accountUuid: string, nowMs: bigint): Promise<Session[]> {
  const rows = await withEmail(query)
    .where("session.account", "=", bytesOfHex(accountUuid))
    .where("last_seen_at_ms", ">", nowMs - SESSION_IDLE_MS)
    .orderBy("last_seen_at_ms", "desc")
    .limit(MAX_LISTED)
    .execute();
  return rows.map(sessionOfRow).filter((session) => isLive(session, nowMs));
}

/** Ends the session of a token, live or not. @returns the ended session; undefined where there was none. */
export async function endSessionByToken(
  transaction: Transaction<AuthSchema>,
  token: string,
): Promise<Pick<Session, "uuid" | "accountUuid"> | undefined> {
  const hash = opaqueTokenHash(token);
  const row = await transaction
    .selectFrom("session")
    .select(["session", "account"])
    .where("token", "=", hash)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  await transaction.deleteFrom("session").where("token", "=", hash).execute();
  return { uuid: uuidFromBytes(row.session), accountUuid: uuidFromBytes(row.account) };
}

/** Ends one session of an account. @returns whether the account had it. */
export async function endSessionByUuid(
  transaction: Transaction<AuthSchema>,
  accountUuid: string,
  sessionUuid: string,
): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom("session")
    .where("account", "=", bytesOfHex(accountUuid))
    .where("session", "=", bytesOfHex(sessionUuid))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Ends all sessions of an account but one. @returns how many it has ended */
export async function endOtherSessionsOf(
  transaction: Transaction<AuthSchema>,
  accountUuid: string,
  keptUuid: string,
): Promise<number> {
  const { numDeletedRows } = await deletionOfOthers(transaction, accountUuid, keptUuid).executeTakeFirst();
  return Number(numDeletedRows);
}

/** Ends the sessions of an account that began with a passkey, all but one. @returns how many it has ended */
export async function endOtherPasskeySessions(
  transaction: Transaction<AuthSchema>,
  accountUuid: string,
  keptUuid: string,
): Promise<number> {
  const { numDeletedRows } = await deletionOfOthers(transaction, accountUuid, keptUuid)
    .where("authenticated_by", "=", "passkey")
    .executeTakeFirst();
  return Number(numDeletedRows);
}

function deletionOfOthers(transaction: Transaction<AuthSchema>, accountUuid: string, keptUuid: string) {
  return transaction
    .deleteFrom("session")
    .where("account", "=", bytesOfHex(accountUuid))
    .where("session", "!=", bytesOfHex(keptUuid));
}

/** Ends all sessions of an account. */
export async function endAllSessions(transaction: Transaction<AuthSchema>, accountUuid: string): Promise<void> {
  await transaction.deleteFrom("session").where("account", "=", bytesOfHex(accountUuid)).execute();
}

/** Ends those sessions of an account that began with a code. */
export async function endCodeSessions(transaction: Transaction<AuthSchema>, accountUuid: string): Promise<void> {
  await transaction
    .deleteFrom("session")
    .where("account", "=", bytesOfHex(accountUuid))
    .where(SIGNED_IN_WITH_CODE)
    .execute();
}

async function touch(database: AuthDatabase, token: string, nowMs: bigint): Promise<void> {
  const update = database.query
    .updateTable("session")
    .set({ last_seen_at_ms: nowMs })
    .where("token", "=", opaqueTokenHash(token))
    .where("last_seen_at_ms", "<", nowMs);
  await database.retry(() => update.execute());
}

/**
 * Sessions with the addresses of their accounts. The join drops sessions without an account. A session that began with a code
 * doesn't count where the account requires a passkey: one may begin while the requirement is being stored.
 */
function withEmail(query: Kysely<AuthSchema>) {
  return query
    .selectFrom("session")
    .innerJoin("account", "account.account", "session.account")
    .where(({ eb, or }) =>
      or([
        eb("session.authenticated_by", "=", "passkey"),
        eb("account.passkey_required", "is", null),
        eb("account.passkey_required", "=", 0),
      ]),
    )
    .selectAll("session")
    .select("account.email");
}

export function sessionOfRow(row: SessionTable & { readonly email: string }): Session {
  return {
    uuid: uuidFromBytes(row.session),
    accountUuid: uuidFromBytes(row.account),
    email: row.email,
    createdAtMs: BigInt(row.created_at_ms),
    authenticatedAtMs: BigInt(row.authenticated_at_ms),
    authenticatedBy: authenticationMethod(row.authenticated_by),
    lastSeenAtMs: BigInt(row.last_seen_at_ms),
    expiresAtMs: BigInt(row.expires_at_ms),
    userAgent: row.user_agent,
  };
}

/** Sessions that have reached their end, and those that were idle for too long. */
export function expiredSessions(nowMs: bigint): readonly ExpiredRows[] {
  return [
    { table: "session", ageColumn: "expires_at_ms", cutoff: nowMs },
    { table: "session", ageColumn: "last_seen_at_ms", cutoff: nowMs - SESSION_IDLE_MS },
  ];
}
