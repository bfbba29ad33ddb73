import { randomUUID } from "node:crypto";
import type { CompiledQuery, Transaction } from "kysely";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { executeAndCommit, namedResults } from "../../../common/platform/db/sql/statement-batch.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { accountLock, admits, lockedAccounts } from "../accounts/accounts-store.ts";
import { eventsStatement, type SecurityEvent } from "../audit/audit-store.ts";
import type { AuthContext } from "../base/context.ts";
import { OPENID, scopeText } from "../base/oauth/scope.ts";
import { newOpaqueToken } from "../base/opaque-token.ts";
import type { AuthSchema } from "../base/schema.ts";
import { type Consent, keptScopes, type WordedConsent } from "../consents/consent.ts";
import { CONSENT_COLUMNS, consentOfRow, consentStatement } from "../consents/consents-store.ts";
import type { Session } from "../sessions/session.ts";
import { codeStatement } from "../tokens/authorization-codes-store.ts";
import { narrowGrants } from "../tokens/narrowed-grants-store.ts";
import type { AuthorizationRequest, ReturnTarget } from "./authorization-request.ts";
import { answering } from "./authorization-requests-store.ts";

export interface CodeGrant {
  readonly target: ReturnTarget;
  readonly request: AuthorizationRequest;
  readonly session: Session;
  /** The client's scopes that the user grants; `openid` comes from the request. */
  readonly scopes: readonly string[];
  /** The handle of the stored request that this answers; absent if no page was shown. */
  readonly handle?: string | undefined;
  /** Computes the new consent from the previous one; absent if the user wasn't asked. */
  readonly consentAfter?: (before: Consent) => Consent;
}

/**
 * Issues a code. One transaction stores the consent, narrows earlier grants to it, marks the request as answered and inserts the code.
 * It takes two messages, the commit with the second one.
 *
 * @returns the code; undefined if the request was answered before.
 * @throws ServiceError `resource_exhausted`, `unavailable`, `aborted` if the account was deleted or the consent withdrawn.
 */
export async function grantCode(context: AuthContext, grant: CodeGrant, nowMs: bigint): Promise<string | undefined> {
  await context.rateLimits.take("authorize_account", grant.session.accountUuid);
  const { database } = context;
  return database.write(async (transaction) => {
    const before = await lockConsent(transaction, database.dialect, grant, nowMs);
    if (before === undefined) return undefined;
    const kept = await keepConsent(transaction, database.dialect, grant, before, nowMs);
    const issued = issueCode(transaction, grant, nowMs);
    const events = eventsStatement(database.dialect, [...kept.events, issued.event], nowMs);
    await executeAndCommit(transaction, database.dialect, [...kept.statements, issued.statement, events]);
    return issued.code;
  });
}

/**
 * Locks the account, so that a concurrent deletion, withdrawal, recovery or requirement of a passkey doesn't miss the new code,
 * checks that none of them has ended the session, and marks the request as answered.
 *
 * @returns the present consent; undefined if the request was answered before.
 */
async function lockConsent(
  transaction: Transaction<AuthSchema>,
  dialect: SqlDialect,
  { target, session, handle }: CodeGrant,
  nowMs: bigint,
): Promise<WordedConsent | undefined> {
  const { account, answer } = await namedResults(transaction, dialect, {
    lock: accountLock(dialect, session.accountUuid),
    account: accountsToGrantFor(transaction, session, target.client.uuid).compile(),
    answer: handle === undefined ? undefined : answering(transaction, handle, nowMs).compile(),
  });
  const [row] = account.rows;
  if (row === undefined || row.session === null || !admits(row, session))
    throw new ServiceError("aborted", "the session has ended meanwhile");
  return answer?.affectedRows === 0n ? undefined : consentOfRow(row);
}

/** Selects a locked account with its consent to a client, and with a session that was live when it was read, if it hasn't ended since. */
function accountsToGrantFor(query: Transaction<AuthSchema>, { accountUuid, uuid }: Session, clientUuid: string) {
  const [session, client] = [bytesOfHex(uuid), bytesOfHex(clientUuid)];
  return lockedAccounts(query, accountUuid)
    .leftJoin("session", (join) =>
      join.onRef("session.account", "=", "account.account").on("session.session", "=", session),
    )
    .leftJoin("consent", (join) =>
      join.onRef("consent.account", "=", "account.account").on("consent.client", "=", client),
    )
    .select(["session.session", ...CONSENT_COLUMNS]);
}

/** The rest of a change, for the message that commits it. */
interface PendingChange {
  readonly statements: readonly CompiledQuery[];
  readonly events: readonly SecurityEvent[];
}

/** Narrows earlier grants to the new consent. @returns the statements that store it; none if the user wasn't asked. */
async function keepConsent(
  transaction: Transaction<AuthSchema>,
  dialect: SqlDialect,
  { target, session, scopes, consentAfter }: CodeGrant,
  before: WordedConsent,
  nowMs: bigint,
): Promise<PendingChange> {
  if (consentAfter === undefined) {
    requireGranted(before, scopes);
    return { statements: [], events: [] };
  }
  const { client } = target;
  const key = { accountUuid: session.accountUuid, clientUuid: client.uuid };
  const after = consentAfter(before);
  const remainingScopes = keptScopes(before, after);
  if (remainingScopes !== undefined) await narrowGrants(transaction, key, remainingScopes);
  const details = { scope: scopeText(scopes) };
  return {
    statements: [consentStatement(dialect, key, after, nowMs)],
    events: [{ event: "consent.granted", ...key, saleUuid: client.saleUuid, details }],
  };
}

/**
 * Checks again, under the lock, that there is a consent that grants the scopes, of which `openid` alone has none: it may have been
 * withdrawn since it was read.
 */
function requireGranted({ granted, wordsVersion }: WordedConsent, scopes: readonly string[]): void {
  if (wordsVersion > 0 && scopes.every((scope) => granted.includes(scope))) return;
  throw new ServiceError("aborted", "the access was withdrawn meanwhile");
}

/** Makes a new code in each attempt of the transaction. Nobody knows the code of an attempt whose outcome was lost. */
function issueCode(
  transaction: Transaction<AuthSchema>,
  { target, request, session, scopes: granted }: CodeGrant,
  nowMs: bigint,
): { readonly code: string; readonly statement: CompiledQuery; readonly event: SecurityEvent } {
  const scopes = request.scopes.includes(OPENID) ? [OPENID, ...granted] : granted;
  const code = newOpaqueToken();
  const familyUuid = randomUUID();
  const { accountUuid, authenticatedAtMs, authenticatedBy } = session;
  const issue = { code, familyUuid, request, accountUuid, scopes, authenticatedAtMs, authenticatedBy };
  const { uuid: clientUuid, saleUuid } = target.client;
  const details = { family: familyUuid, scope: scopeText(scopes) };
  return {
    code,
    statement: codeStatement(transaction, issue, nowMs),
    event: { event: "code.issued", accountUuid, clientUuid, saleUuid, details },
  };
}
