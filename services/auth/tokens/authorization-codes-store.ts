import { CompiledQuery, type Kysely, type Transaction } from "kysely";
import type { ExpiredRows } from "../../../common/platform/db/expired-rows.ts";
import { BoundValues } from "../../../common/platform/db/sql/bound-values.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { type AuthenticationMethod, authenticationMethod } from "../base/authentication-method.ts";
import { AUTHORIZATION_CODE_LIFETIME_MS, AUTHORIZATION_CODE_RETENTION_MS } from "../base/lifetimes.ts";
import { scopesOfText, scopeText } from "../base/oauth/scope.ts";
import { opaqueTokenHash } from "../base/opaque-token.ts";
import type { AuthorizationCodeTable, AuthSchema } from "../base/schema.ts";
import { thumbprintBytes, thumbprintOfBytes } from "../dpop/key-thumbprint.ts";
import type { IssuedCode } from "./code-redemption.ts";
import { HOLDER_COLUMNS, type HolderRow, holderOfRow } from "./token-holder-rows.ts";

export interface NewCode {
  /** A new secret. */
  readonly code: string;
  readonly familyUuid: string;
  readonly request: {
    readonly clientUuid: string;
    readonly redirectUri: string;
    readonly codeChallenge: string;
    readonly nonce: string | undefined;
    readonly maxAgeSeconds: number | undefined;
    readonly keyThumbprint: string | undefined;
  };
  readonly accountUuid: string;
  readonly scopes: readonly string[];
  readonly authenticatedAtMs: bigint;
  readonly authenticatedBy: AuthenticationMethod;
}

/** Builds the statement that stores a new code with the present token generation of its client. */
export function codeStatement(query: Kysely<AuthSchema>, issue: NewCode, nowMs: bigint): CompiledQuery {
  const client = bytesOfHex(issue.request.clientUuid);
  return query
    .insertInto("authorization_code")
    .values(({ selectFrom }) => ({
      code: opaqueTokenHash(issue.code),
      client,
      account: bytesOfHex(issue.accountUuid),
      family: bytesOfHex(issue.familyUuid),
      redirect_uri: issue.request.redirectUri,
      scopes: scopeText(issue.scopes),
      code_challenge: issue.request.codeChallenge,
      nonce: issue.request.nonce ?? null,
      token_generation: selectFrom("client").select("token_generation").where("client", "=", client),
      authenticated_at_ms: issue.authenticatedAtMs,
      authenticated_by: issue.authenticatedBy,
      id_token_auth_time: issue.request.maxAgeSeconds === undefined ? 0 : 1,
      created_at_ms: nowMs,
      expires_at_ms: nowMs + AUTHORIZATION_CODE_LIFETIME_MS,
      dpop_jkt: thumbprintBytes(issue.request.keyThumbprint),
    }))
    .compile();
}

/** Finds codes with everything that their exchange needs, in one statement. Codes of deleted accounts aren't found. */
export async function findCodes(
  query: Kysely<AuthSchema>,
  codes: readonly string[],
): Promise<readonly (IssuedCode | undefined)[]> {
  const hashes = codes.map(opaqueTokenHash);
  const rows = await query
    .selectFrom("authorization_code as issued")
    .innerJoin("client", "client.client", "issued.client")
    .innerJoin("account", "account.account", "issued.account")
    .leftJoin("sale_access", "sale_access.sale", "client.sale")
    .leftJoin("consent", (join) =>
      join.onRef("consent.account", "=", "issued.account").onRef("consent.client", "=", "issued.client"),
    )
    .select(HOLDER_COLUMNS)
    .select([
      "issued.code",
      "issued.family",
      "issued.redirect_uri",
      "issued.scopes",
      "issued.code_challenge",
      "issued.nonce",
      "issued.dpop_jkt",
    ])
    .select([
      "issued.token_generation",
      "issued.authenticated_at_ms",
      "issued.authenticated_by",
      "issued.id_token_auth_time",
    ])
    .select(["issued.expires_at_ms", "issued.redeemed_at_ms"])
    .where("issued.code", "in", hashes)
    .execute();
  const codeByHash = new Map(rows.map((row) => [hexOfBytes(row.code), issuedCode(row)]));
  return hashes.map((hash) => codeByHash.get(hexOfBytes(hash)));
}

type CodeRow = HolderRow &
  Pick<
    AuthorizationCodeTable,
    | "family"
    | "redirect_uri"
    | "scopes"
    | "code_challenge"
    | "nonce"
    | "dpop_jkt"
    | "token_generation"
    | "authenticated_at_ms"
    | "authenticated_by"
    | "id_token_auth_time"
    | "expires_at_ms"
    | "redeemed_at_ms"
  >;

function issuedCode(row: CodeRow): IssuedCode {
  const tokenGeneration = BigInt(row.token_generation);
  return {
    holder: holderOfRow(row, tokenGeneration),
    familyUuid: uuidFromBytes(row.family),
    redirectUri: row.redirect_uri,
    scopes: scopesOfText(row.scopes),
    codeChallenge: row.code_challenge,
    nonce: row.nonce ?? undefined,
    keyThumbprint: thumbprintOfBytes(row.dpop_jkt),
    tokenGeneration,
    authenticatedAtMs: BigInt(row.authenticated_at_ms),
    authenticatedBy: authenticationMethod(row.authenticated_by),
    idTokenSaysWhen: Number(row.id_token_auth_time) === 1,
    expiresAtMs: BigInt(row.expires_at_ms),
    redeemed: row.redeemed_at_ms !== null,
  };
}

/** Redeems codes. Of concurrent calls for the same code, one succeeds. @returns how many this call has redeemed. */
export async function redeemCodes(
  transaction: Transaction<AuthSchema>,
  dialect: SqlDialect,
  codes: readonly string[],
  nowMs: bigint,
): Promise<number> {
  const bound = new BoundValues(dialect);
  const text = `update authorization_code set redeemed_at_ms = ${bound.one(nowMs)} where code in ${bound.list(codes.map(opaqueTokenHash))}
    and redeemed_at_ms is null and expires_at_ms > ${bound.one(nowMs)}`;
  const { numAffectedRows } = await transaction.executeQuery(CompiledQuery.raw(text, bound.parameters));
  return Number(numAffectedRows);
}

/** Deletes the codes of an account that weren't redeemed. It waits for exchanges that are under way. */
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

export function expiredCodes(nowMs: bigint): ExpiredRows {
  return { table: "authorization_code", ageColumn: "expires_at_ms", cutoff: nowMs - AUTHORIZATION_CODE_RETENTION_MS };
}
