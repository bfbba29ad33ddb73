import { randomUUID } from "node:crypto";
import type { Transaction } from "kysely";
import { ServiceError } from "../../shared/errors/service-error.ts";
import { lockAccount } from "../accounts/accounts-store.ts";
import { recordEvent } from "../base/audit-store.ts";
import { newOpaqueToken } from "../base/opaque-token.ts";
import type { AuthSchema } from "../base/schema.ts";
import { scopeText } from "../base/scope.ts";
import type { Session } from "../sessions/session.ts";
import { insertCode } from "../tokens/authorization-codes-store.ts";
import type { AuthorizationRequest, ReturnTarget } from "./authorization-request.ts";
import { answerAuthorizationRequest } from "./authorization-requests-store.ts";
import type { Consent } from "./consent.ts";
import { findConsent, putConsent } from "./consents-store.ts";
import type { AuthorizationDependencies } from "./dependencies.ts";

export interface CodeGrant {
  readonly target: ReturnTarget;
  readonly request: AuthorizationRequest;
  readonly session: Session;
  readonly scopes: readonly string[];
  /** Of the stored request that this answers; absent where there was no page. */
  readonly handle?: string | undefined;
  /** What is remembered after the user's decision, from what was before; absent where nothing was asked. */
  readonly consentAfter?: (before: Consent) => Consent;
}

/**
 * Issues a code, in one transaction with the consent that it rests on and the answer of its request.
 *
 * @returns the code; undefined where the request has had its answer.
 * @throws ServiceError `resource_exhausted`, `unavailable`, `aborted` where account or access have gone meanwhile.
 */
export async function grantCode(
  deps: AuthorizationDependencies,
  grant: CodeGrant,
  nowMs: bigint,
): Promise<string | undefined> {
  await deps.rateLimits.take("authorize_account", grant.session.accountUuid);
  return deps.database.write(async (transaction) => {
    await requireAccount(deps, transaction, grant.session.accountUuid);
    const { handle } = grant;
    if (handle !== undefined && !(await answerAuthorizationRequest(transaction, handle, nowMs))) return undefined;
    await keepConsent(deps, transaction, grant, nowMs);
    return issueCode(transaction, grant, nowMs);
  });
}

/** Locked, so that an account which is being deleted, or takes access back, leaves nothing behind. */
async function requireAccount(
  { database }: AuthorizationDependencies,
  transaction: Transaction<AuthSchema>,
  accountUuid: string,
): Promise<void> {
  if (await lockAccount(transaction, database.dialect, accountUuid)) return;
  throw new ServiceError("aborted", "the account was deleted meanwhile");
}

async function keepConsent(
  { database }: AuthorizationDependencies,
  transaction: Transaction<AuthSchema>,
  { target, session, scopes, consentAfter }: CodeGrant,
  nowMs: bigint,
): Promise<void> {
  const { client } = target;
  const key = { accountUuid: session.accountUuid, clientUuid: client.uuid };
  const before = await findConsent(transaction, key);
  if (consentAfter === undefined) return requireGranted(before, scopes);
  await putConsent(transaction, database.dialect, key, consentAfter(before), nowMs);
  const details = { scope: scopeText(scopes) };
  await recordEvent(transaction, { event: "consent.granted", ...key, saleUuid: client.saleUuid, details }, nowMs);
}

/** What an earlier decision has granted may have been withdrawn since it was read. */
function requireGranted({ granted }: Consent, scopes: readonly string[]): void {
  if (scopes.every((scope) => granted.includes(scope))) return;
  throw new ServiceError("aborted", "the access was withdrawn meanwhile");
}

/** New in each attempt of the transaction: a code whose commit was never heard of is known to nobody. */
async function issueCode(
  transaction: Transaction<AuthSchema>,
  { target, request, session, scopes }: CodeGrant,
  nowMs: bigint,
): Promise<string> {
  const code = newOpaqueToken();
  const familyUuid = randomUUID();
  const { accountUuid, authenticatedAtMs } = session;
  await insertCode(transaction, { code, familyUuid, request, accountUuid, scopes, authenticatedAtMs }, nowMs);
  const { uuid: clientUuid, saleUuid } = target.client;
  const details = { family: familyUuid, scope: scopeText(scopes) };
  await recordEvent(transaction, { event: "code.issued", accountUuid, clientUuid, saleUuid, details }, nowMs);
  return code;
}
