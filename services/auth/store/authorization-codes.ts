import type { Kysely, Transaction } from "kysely";
import { bytesOfHex } from "../../shared/hex.ts";
import { uuidFromBytes } from "../../shared/uuid.ts";
import type { AuthorizationRequest } from "../domain/authorization-request.ts";
import { CODE_LIFETIME_MS, type IssuedCode } from "../domain/code-redemption.ts";
import { scopesOfText, scopeText } from "../domain/scope.ts";
import { opaqueTokenHash } from "../opaque-token.ts";
import type { AuthSchema } from "./schema.ts";
import { HOLDER_COLUMNS, holderOfRow } from "./token-holder.ts";

export interface NewCode {
  /** The secret, new. */
  readonly code: string;
  readonly familyUuid: string;
  readonly request: Pick<AuthorizationRequest, "clientUuid" | "redirectUri" | "codeChallenge">;
  readonly accountUuid: string;
  readonly scopes: readonly string[];
  readonly authenticatedAtMs: bigint;
}

/** Issues a code of the generation that its client has now. */
export async function insertCode(transaction: Transaction<AuthSchema>, issue: NewCode, nowMs: bigint): Promise<void> {
  const client = bytesOfHex(issue.request.clientUuid);
  await transaction
    .insertInto("authorization_code")
    .values(({ selectFrom }) => ({
      code: opaqueTokenHash(issue.code),
      client,
      account: bytesOfHex(issue.accountUuid),
      family: bytesOfHex(issue.familyUuid),
      redirect_uri: issue.request.redirectUri,
      scopes: scopeText(issue.scopes),
      code_challenge: issue.request.codeChallenge,
      token_generation: selectFrom("client").select("token_generation").where("client", "=", client),
      authenticated_at_ms: issue.authenticatedAtMs,
      created_at_ms: nowMs,
      expires_at_ms: nowMs + CODE_LIFETIME_MS,
    }))
    .execute();
}

/** A code with all that its exchange needs to know, in one statement; none for an account that was deleted. */
export async function findCode(query: Kysely<AuthSchema>, code: string): Promise<IssuedCode | undefined> {
  const row = await query
    .selectFrom("authorization_code as issued")
    .innerJoin("client", "client.client", "issued.client")
    .innerJoin("account", "account.account", "issued.account")
    .leftJoin("sale_access", "sale_access.sale", "client.sale")
    .select(HOLDER_COLUMNS)
    .select(["issued.family", "issued.redirect_uri", "issued.scopes", "issued.code_challenge"])
    .select(["issued.token_generation", "issued.authenticated_at_ms", "issued.expires_at_ms", "issued.redeemed_at_ms"])
    .where("issued.code", "=", opaqueTokenHash(code))
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const tokenGeneration = BigInt(row.token_generation);
  return {
    holder: holderOfRow(row, tokenGeneration),
    familyUuid: uuidFromBytes(row.family),
    redirectUri: row.redirect_uri,
    scopes: scopesOfText(row.scopes),
    codeChallenge: row.code_challenge,
    tokenGeneration,
    authenticatedAtMs: BigInt(row.authenticated_at_ms),
    expiresAtMs: BigInt(row.expires_at_ms),
    redeemed: row.redeemed_at_ms !== null,
  };
}

/** Redeems a code; of any number at once, one does. @returns whether it was this one. */
export async function redeemCode(transaction: Transaction<AuthSchema>, code: string, nowMs: bigint): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("authorization_code")
    .set({ redeemed_at_ms: nowMs })
    .where("code", "=", opaqueTokenHash(code))
    .where("redeemed_at_ms", "is", null)
    .where("expires_at_ms", ">", nowMs)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Takes back the codes of an account that weren't redeemed. It waits for an exchange that is under way. */
export async function withdrawCodes(
  transaction: Transaction<AuthSchema>,
  { accountUuid, clientUuid }: { readonly accountUuid: string; readonly clientUuid?: string | undefined },
): Promise<void> {
  const ofAccount = transaction
    .deleteFrom("authorization_code")
    .where("account", "=", bytesOfHex(accountUuid))
    .where("redeemed_at_ms", "is", null);
  const query = clientUuid === undefined ? ofAccount : ofAccount.where("client", "=", bytesOfHex(clientUuid));
  await query.execute();
}
