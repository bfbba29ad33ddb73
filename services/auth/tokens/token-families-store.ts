import type { Kysely, Transaction } from "kysely";
import { bytesOfHex } from "../../shared/encoding/hex.ts";
import { uuidFromBytes } from "../../shared/encoding/uuid.ts";
import type { AuthSchema, TokenFamilyTable } from "../base/schema.ts";
import { scopesOfText, scopeText } from "../base/scope.ts";
import { withdrawCodes } from "./authorization-codes-store.ts";
import type { IssuedCode } from "./code-redemption.ts";
import { FAMILY_LIFETIME_MS, type TokenFamily } from "./refresh-rotation.ts";
import { HOLDER_COLUMNS, type HolderRow, holderOfRow } from "./token-holder-rows.ts";

/** Whose tokens are revoked: an account's, all or those of one client; or a client's. */
export type FamilyOwner =
  | { readonly accountUuid: string; readonly clientUuid?: string | undefined }
  | { readonly accountUuid?: undefined; readonly clientUuid: string };

/** Begins the families of codes that are being redeemed. @returns until when their tokens are good. */
export async function insertFamilies(
  transaction: Transaction<AuthSchema>,
  codes: readonly IssuedCode[],
  nowMs: bigint,
): Promise<bigint> {
  const expiresAtMs = nowMs + FAMILY_LIFETIME_MS;
  const rows = codes.map((code) => ({
    family: bytesOfHex(code.familyUuid),
    client: bytesOfHex(code.holder.clientUuid),
    account: bytesOfHex(code.holder.accountUuid),
    scopes: scopeText(code.scopes),
    token_generation: code.tokenGeneration,
    authenticated_at_ms: code.authenticatedAtMs,
    created_at_ms: nowMs,
    expires_at_ms: expiresAtMs,
  }));
  await transaction.insertInto("token_family").values(rows).execute();
  return expiresAtMs;
}

/** A family with its holder; none for an account that was deleted. */
export async function findFamily(query: Kysely<AuthSchema>, familyUuid: string): Promise<FamilyWithEmail | undefined> {
  const row = await familyQuery(query)
    .select("account.email")
    .where("token_family.family", "=", bytesOfHex(familyUuid))
    .executeTakeFirst();
  return row && { ...familyOfRow(row), email: row.email };
}

export interface FamilyWithEmail extends TokenFamily {
  /** Of the account, as it is now. */
  readonly email: string;
}

/** @returns whether it was this call that revoked it. */
export async function revokeFamily(
  transaction: Transaction<AuthSchema>,
  familyUuid: string,
  nowMs: bigint,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("token_family")
    .set({ revoked_at_ms: nowMs })
    .where("family", "=", bytesOfHex(familyUuid))
    .where("revoked_at_ms", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Revokes tokens and codes that were issued for an account, or to a client. However many a client has, it is one row: a
 * new generation voids all of the one before.
 */
export async function revokeFamiliesOf(
  transaction: Transaction<AuthSchema>,
  owner: FamilyOwner,
  nowMs: bigint,
): Promise<void> {
  if (owner.accountUuid === undefined) return raiseTokenGeneration(transaction, owner.clientUuid);
  // First the codes: an exchange that is under way has ended then, and its family is there to be revoked.
  await withdrawCodes(transaction, owner);
  const { accountUuid, clientUuid } = owner;
  const ofAccount = transaction
    .updateTable("token_family")
    .set({ revoked_at_ms: nowMs })
    .where("account", "=", bytesOfHex(accountUuid))
    .where("revoked_at_ms", "is", null);
  const query = clientUuid === undefined ? ofAccount : ofAccount.where("client", "=", bytesOfHex(clientUuid));
  await query.execute();
}

async function raiseTokenGeneration(transaction: Transaction<AuthSchema>, clientUuid: string): Promise<void> {
  await transaction
    .updateTable("client")
    .set(({ eb }) => ({ token_generation: eb("token_generation", "+", 1n) }))
    .where("client", "=", bytesOfHex(clientUuid))
    .execute();
}

/** Families, each with what tells its holder. */
export function familyQuery(query: Kysely<AuthSchema>) {
  return query
    .selectFrom("token_family")
    .innerJoin("client", "client.client", "token_family.client")
    .innerJoin("account", "account.account", "token_family.account")
    .leftJoin("sale_access", "sale_access.sale", "client.sale")
    .select(HOLDER_COLUMNS)
    .select(["token_family.family", "token_family.scopes", "token_family.token_generation"])
    .select([
      "token_family.authenticated_at_ms",
      "token_family.expires_at_ms as family_expires_at_ms",
      "token_family.revoked_at_ms",
    ]);
}

type FamilyRow = HolderRow &
  Pick<TokenFamilyTable, "family" | "scopes" | "token_generation" | "authenticated_at_ms" | "revoked_at_ms"> & {
    readonly family_expires_at_ms: TokenFamilyTable["expires_at_ms"];
  };

/** Of a row of `familyQuery`. */
export function familyOfRow(row: FamilyRow): TokenFamily {
  return {
    uuid: uuidFromBytes(row.family),
    holder: holderOfRow(row, BigInt(row.token_generation)),
    scopes: scopesOfText(row.scopes),
    authenticatedAtMs: BigInt(row.authenticated_at_ms),
    expiresAtMs: BigInt(row.family_expires_at_ms),
    revoked: row.revoked_at_ms !== null,
  };
}
