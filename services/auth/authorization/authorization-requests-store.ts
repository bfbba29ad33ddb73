import type { Kysely, Transaction } from "kysely";
import type { ExpiredRows } from "../../shared/db/expired-rows.ts";
import { bytesOfHex } from "../../shared/encoding/hex.ts";
import { uuidFromBytes } from "../../shared/encoding/uuid.ts";
import { newOpaqueToken, opaqueTokenHash } from "../base/opaque-token.ts";
import type { AuthorizationRequestTable, AuthSchema } from "../base/schema.ts";
import { scopesOfText, scopeText } from "../base/scope.ts";
import { AUTHORIZATION_REQUEST_LIFETIME_MS, type AuthorizationRequest } from "./authorization-request.ts";

/** The time for which an expired request is kept, so that its page can still name the client and lead back to it. */
const REQUEST_RETENTION_MS = 24n * 3_600_000n;

/** A stored request that waits for the user's decision, or was answered. */
export interface PendingAuthorization {
  readonly request: AuthorizationRequest;
  /** SHA-256 of the token of the browser that began it. */
  readonly browserHash: Uint8Array;
  readonly expiresAtMs: bigint;
  readonly answered: boolean;
}

/** Stores a request until its user has decided. @returns its handle. */
export async function insertAuthorizationRequest(
  transaction: Transaction<AuthSchema>,
  browserToken: string,
  request: AuthorizationRequest,
): Promise<string> {
  const handle = newOpaqueToken();
  await transaction
    .insertInto("authorization_request")
    .values({
      request: opaqueTokenHash(handle),
      browser: opaqueTokenHash(browserToken),
      client: bytesOfHex(request.clientUuid),
      redirect_uri: request.redirectUri,
      scopes: scopeText(request.scopes),
      state: request.state ?? null,
      code_challenge: request.codeChallenge,
      prompt: request.prompt,
      created_at_ms: request.createdAtMs,
      expires_at_ms: request.createdAtMs + AUTHORIZATION_REQUEST_LIFETIME_MS,
    })
    .execute();
  return handle;
}

export async function findAuthorizationRequest(
  query: Kysely<AuthSchema>,
  handle: string,
): Promise<PendingAuthorization | undefined> {
  const row = await query
    .selectFrom("authorization_request")
    .selectAll()
    .where("request", "=", opaqueTokenHash(handle))
    .executeTakeFirst();
  return row && pendingOfRow(row);
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
  const { numUpdatedRows } = await transaction
    .updateTable("authorization_request")
    .set({ answered_at_ms: nowMs })
    .where("request", "=", opaqueTokenHash(handle))
    .where("answered_at_ms", "is", null)
    .where("expires_at_ms", ">", nowMs)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

function pendingOfRow(row: AuthorizationRequestTable): PendingAuthorization {
  return {
    request: {
      clientUuid: uuidFromBytes(row.client),
      redirectUri: row.redirect_uri,
      scopes: scopesOfText(row.scopes),
      state: row.state ?? undefined,
      codeChallenge: row.code_challenge,
      prompt: row.prompt,
      createdAtMs: BigInt(row.created_at_ms),
    },
    browserHash: row.browser,
    expiresAtMs: BigInt(row.expires_at_ms),
    answered: row.answered_at_ms !== null,
  };
}

export function expiredAuthorizationRequests(nowMs: bigint): ExpiredRows {
  return { table: "authorization_request", ageColumn: "expires_at_ms", cutoff: nowMs - REQUEST_RETENTION_MS };
}
