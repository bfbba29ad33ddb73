import { randomUUID } from "node:crypto";
import type { Transaction } from "kysely";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { lockAccountOf } from "../accounts/accounts-store.ts";
import { recordEvent } from "../audit/audit-store.ts";
import type { AuthContext } from "../base/context.ts";
import { OPENID, scopeText } from "../base/oauth/scope.ts";
import { newOpaqueToken } from "../base/opaque-token.ts";
import type { AuthSchema } from "../base/schema.ts";
import { type Consent, keptScopes, type WordedConsent } from "../consents/consent.ts";
import { findConsent, putConsent } from "../consents/consents-store.ts";
import type { Session } from "../sessions/session.ts";
import { hasSession } from "../sessions/sessions-store.ts";
import { insertCode } from "../tokens/authorization-codes-store.ts";
import { narrowGrants } from "../tokens/narrowed-grants-store.ts";
import type { AuthorizationRequest, ReturnTarget } from "./authorization-request.ts";
import { answerAuthorizationRequest } from "./authorization-requests-store.ts";

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
 *
 * @returns the code; undefined if the request was answered before.
 * @throws ServiceError `resource_exhausted`, `unavailable`, `aborted` if the account was deleted or the consent withdrawn.
 */
export async function grantCode(context: AuthContext, grant: CodeGrant, nowMs: bigint): Promise<string | undefined> {
  await context.rateLimits.take("authorize_account", grant.session.accountUuid);
  return context.database.write(async (transaction) => {
    await requireUnendedSession(context, transaction, grant.session);
    const { handle } = grant;
    if (handle !== undefined && !(await answerAuthorizationRequest(transaction, handle, nowMs))) return undefined;
    await keepConsent(context, transaction, grant, nowMs);
    return issueCode(transaction, grant, nowMs);
  });
}

/**
 * Locks the account, so that a concurrent deletion, withdrawal, recovery or requirement of a passkey doesn't miss the new code, and
 * checks that none of them has ended the session.
 */
async function requireUnendedSession(
  { database }: AuthContext,
  transaction: Transaction<AuthSchema>,
  session: Session,
): Promise<void> {
  const isLocked = await lockAccountOf(transaction, database.dialect, session);
  if (isLocked && (await hasSession(transaction, session))) return;
  throw new ServiceError("aborted", "the session has ended meanwhile");
}

async function keepConsent(
  { database }: AuthContext,
  transaction: Transaction<AuthSchema>,
  { target, session, scopes, consentAfter }: CodeGrant,
  nowMs: bigint,
): Promise<void> {
  const { client } = target;
  const key = { accountUuid: session.accountUuid, clientUuid: client.uuid };
  const before = await findConsent(transaction, key);
  if (consentAfter === undefined) return requireGranted(before, scopes);
  const after = consentAfter(before);
  await putConsent(transaction, database.dialect, key, after, nowMs);
  const remainingScopes = keptScopes(before, after);
  if (remainingScopes !== undefined) await narrowGrants(transaction, key, remainingScopes);
  const details = { scope: scopeText(scopes) };
  await recordEvent(transaction, { event: "consent.granted", ...key, saleUuid: client.saleUuid, details }, nowMs);
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
async function issueCode(
  transaction: Transaction<AuthSchema>,
  { target, request, session, scopes: granted }: CodeGrant,
  nowMs: bigint,
): Promise<string> {
  const scopes = request.scopes.includes(OPENID) ? [OPENID, ...granted] : granted;
  const code = newOpaqueToken();
  const familyUuid = randomUUID();
  const { accountUuid, authenticatedAtMs, authenticatedBy } = session;
  const issue = { code, familyUuid, request, accountUuid, scopes, authenticatedAtMs, authenticatedBy };
  await insertCode(transaction, issue, nowMs);
  const { uuid: clientUuid, saleUuid } = target.client;
  const details = { family: familyUuid, scope: scopeText(scopes) };
  await recordEvent(transaction, { event: "code.issued", accountUuid, clientUuid, saleUuid, details }, nowMs);
  return code;
}
