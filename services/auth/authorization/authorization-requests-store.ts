import type { Kysely, Transaction } from "kysely";
import type { ExpiredRows } from "../../../common/platform/db/expired-rows.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { executeAndCommit, executeNamed } from "../../../common/platform/db/sql/statement-batch.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { Client } from "../applications/application.ts";
import { clientsBy, decodeClient } from "../applications/applications-store.ts";
import { AUTHORIZATION_REQUEST_LIFETIME_MS, AUTHORIZATION_REQUEST_RETENTION_MS } from "../base/lifetimes.ts";
import { scopesOfText, scopeText } from "../base/oauth/scope.ts";
import { newOpaqueToken, opaqueTokenHash } from "../base/opaque-token.ts";
import type { AuthDatabase, AuthorizationRequestTable, AuthSchema } from "../base/schema.ts";
import { thumbprintBytes, thumbprintOfBytes } from "../dpop/key-thumbprint.ts";
import type { AuthorizationRequest, Prompt } from "./authorization-request.ts";
import { type ClientSession, clientSessionOfRow, clientSessions } from "./client-session-store.ts";

/** A stored request that waits for the user's decision, or was answered. */
export interface PendingAuthorization {
  readonly request: AuthorizationRequest;
  /** SHA-256 of the token of the browser that began it. */
  readonly browserHash: Uint8Array;
  readonly expiresAtMs: bigint;
  readonly answered: boolean;
  /** The account with which the user has chosen to go on; undefined before a choice. */
  readonly chosenAccountUuid: string | undefined;
}

/**
 * Stores a request until its user has decided, and commits.
 *
 * @param handle that of an authorization from a pushed request; otherwise a new one is made
 * @returns its handle.
 */
export async function insertAuthorizationRequest(
  transaction: Transaction<AuthSchema>,
  dialect: SqlDialect,
  browserToken: string,
  { chosenAccountUuid, ...request }: AuthorizationRequest & Partial<Pick<PendingAuthorization, "chosenAccountUuid">>,
  handle = newOpaqueToken(),
): Promise<string> {
  const insertion = transaction
    .insertInto("authorization_request")
    .values({
      request: opaqueTokenHash(handle),
      browser: opaqueTokenHash(browserToken),
      client: bytesOfHex(request.clientUuid),
      redirect_uri: request.redirectUri,
      scopes: scopeText(request.scopes),
      state: request.state ?? null,
      code_challenge: request.codeChallenge,
      prompt: oldPrompt(request.prompts),
      prompts: request.prompts.join(" "),
      max_age_s: request.maxAgeSeconds === undefined ? null : BigInt(request.maxAgeSeconds),
      login_hint: request.loginHint ?? null,
      nonce: request.nonce ?? null,
      hinted_subject: request.hintedSubject ?? null,
      dpop_jkt: thumbprintBytes(request.keyThumbprint),
      chosen_account: chosenAccountUuid === undefined ? null : bytesOfHex(chosenAccountUuid),
      created_at_ms: request.createdAtMs,
      expires_at_ms: request.createdAtMs + AUTHORIZATION_REQUEST_LIFETIME_MS,
    })
    .compile();
  await executeAndCommit(transaction, dialect, [insertion]);
  return handle;
}

export async function findAuthorizationRequest(
  query: Kysely<AuthSchema>,
  handle: string,
): Promise<PendingAuthorization | undefined> {
  const row = await requestsOf(query, handle).selectAll().executeTakeFirst();
  return row && pendingOfRow(row);
}

/** A stored request in a browser. */
export interface PendingInBrowser {
  readonly pending: PendingAuthorization;
  /** Its client as that is now; undefined for one that was removed. */
  readonly client: Client | undefined;
  /** The session of the browser, live or not. */
  readonly session: ClientSession | undefined;
}

/**
 * Finds a stored request with its client and the session of the browser, in one message.
 *
 * @param sessionToken empty for none
 */
export async function findRequestInBrowser(
  database: AuthDatabase,
  handle: string,
  sessionToken: string,
): Promise<PendingInBrowser | undefined> {
  const rows = await database.read((query) => {
    const request = requestsOf(query, handle);
    const key = request.select("client");
    return executeNamed(query, database.dialect, {
      request: request.selectAll().compile(),
      client: clientsBy(query, key).compile(),
      session: sessionToken === "" ? undefined : clientSessions(query, sessionToken, key).compile(),
    });
  });
  const [[request], [client], [session] = []] = [rows.request, rows.client, rows.session];
  return (
    request && {
      pending: pendingOfRow(request),
      client: client && decodeClient(client),
      session: session && clientSessionOfRow(session),
    }
  );
}

function requestsOf(query: Kysely<AuthSchema>, handle: string) {
  return query.selectFrom("authorization_request").where("request", "=", opaqueTokenHash(handle));
}

/**
 * Marks a request as answered, which is possible once.
 *
 * @returns false if it was answered before, or has expired.
 */
export async function answerAuthorizationRequest(
  transaction: Transaction<AuthSchema>,
  handle: string,
  nowMs: bigint,
): Promise<boolean> {
  const { numUpdatedRows } = await answering(transaction, handle, nowMs).executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Marks a request as answered, which changes no row if it was answered before, or has expired. */
export function answering(query: Kysely<AuthSchema>, handle: string, nowMs: bigint) {
  return query
    .updateTable("authorization_request")
    .set({ answered_at_ms: nowMs })
    .where("request", "=", opaqueTokenHash(handle))
    .where("answered_at_ms", "is", null)
    .where("expires_at_ms", ">", nowMs);
}

/**
 * Stores the account with which the user goes on.
 *
 * @returns false if the request was answered before, or has expired.
 */
export async function chooseAccount(
  transaction: Transaction<AuthSchema>,
  handle: string,
  accountUuid: string,
  nowMs: bigint,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("authorization_request")
    .set({ chosen_account: bytesOfHex(accountUuid) })
    .where("request", "=", opaqueTokenHash(handle))
    .where("answered_at_ms", "is", null)
    .where("expires_at_ms", ">", nowMs)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Returns the one prompt that the version before knows, by which it asks for no less than the request does. */
function oldPrompt(prompts: readonly Prompt[]): AuthorizationRequestTable["prompt"] {
  if (prompts.includes("login") || prompts.includes("select_account")) return "login";
  return prompts.includes("consent") ? "consent" : "";
}

function promptsOf({ prompts, prompt }: AuthorizationRequestTable): readonly Prompt[] {
  return (prompts ?? prompt).split(" ").filter((name) => name !== "") as Prompt[];
}

function pendingOfRow(row: AuthorizationRequestTable): PendingAuthorization {
  return {
    request: {
      clientUuid: uuidFromBytes(row.client),
      redirectUri: row.redirect_uri,
      scopes: scopesOfText(row.scopes),
      state: row.state ?? undefined,
      codeChallenge: row.code_challenge,
      prompts: promptsOf(row),
      maxAgeSeconds: row.max_age_s === null ? undefined : Number(row.max_age_s),
      loginHint: row.login_hint ?? undefined,
      nonce: row.nonce ?? undefined,
      hintedSubject: row.hinted_subject ?? undefined,
      keyThumbprint: thumbprintOfBytes(row.dpop_jkt),
      createdAtMs: BigInt(row.created_at_ms),
    },
    browserHash: row.browser,
    expiresAtMs: BigInt(row.expires_at_ms),
    answered: row.answered_at_ms !== null,
    chosenAccountUuid: row.chosen_account === null ? undefined : uuidFromBytes(row.chosen_account),
  };
}

export function expiredAuthorizationRequests(nowMs: bigint): ExpiredRows {
  return {
    table: "authorization_request",
    ageColumn: "expires_at_ms",
    cutoff: nowMs - AUTHORIZATION_REQUEST_RETENTION_MS,
  };
}
