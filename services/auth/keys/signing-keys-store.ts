import type { JWK } from "jose";
import { type Kysely, sql, type Transaction } from "kysely";
import type { SignatureAlgorithm } from "../../../common/platform/jwt/signature-algorithm.ts";
import type { AuthDatabase, AuthSchema, SigningKeyTable } from "../base/schema.ts";
import type { KeyPlan, KeyStatus, ScheduledKey } from "./key-schedule.ts";

export interface StoredSigningKey extends ScheduledKey {
  /** The private key, wrapped as `generateSigningKey` does. */
  readonly wrapped: Uint8Array;
  readonly publicJwk: JWK;
}

/** A new key for a plan to insert. */
export interface CreatedSigningKey extends Pick<StoredSigningKey, "keyId" | "wrapped" | "publicJwk"> {
  readonly status: Exclude<KeyStatus, "retired">;
}

/**
 * The tables of the keys, which have the same columns. RSA keys have their own: a version of auth without them takes every key of
 * `signing_key` for one of ES256.
 */
const TABLES = { ES256: "signing_key", RS256: "rsa_signing_key" } as const;

/** Returns the table of an algorithm, under one name for the types of the queries. */
export function tableOf(algorithm: SignatureAlgorithm): "signing_key" {
  return TABLES[algorithm] as "signing_key";
}

/** Locks the keys of both algorithms for changes until the end of the transaction, also while there are none. */
export async function lockSigningKeys({ dialect }: AuthDatabase, transaction: Transaction<AuthSchema>): Promise<void> {
  await transaction
    .insertInto("auth_lock")
    .values({ name: "signing_key" })
    .modifyEnd(sql.raw(dialect.upsertClause(["name"], ["name"])))
    .execute();
}

/** Returns all keys of an algorithm, the newest first. */
export async function readSigningKeys(
  query: Kysely<AuthSchema>,
  algorithm: SignatureAlgorithm,
): Promise<readonly StoredSigningKey[]> {
  const rows = await query
    .selectFrom(tableOf(algorithm))
    .selectAll()
    .orderBy("created_at_ms", "desc")
    .orderBy("key_id")
    .execute();
  return rows.map(decode);
}

/** Carries out a plan. @param created the new keys, one for each that the plan creates */
export async function applyKeyPlan(
  transaction: Transaction<AuthSchema>,
  algorithm: SignatureAlgorithm,
  { remove, retire, activate }: Omit<KeyPlan, "create">,
  created: readonly CreatedSigningKey[],
  nowMs: bigint,
): Promise<void> {
  const table = tableOf(algorithm);
  const keys = (keyIds: readonly string[]) => transaction.updateTable(table).where("key_id", "in", keyIds);
  if (remove.length > 0) await transaction.deleteFrom(table).where("key_id", "in", remove).execute();
  if (retire.length > 0) await keys(retire).set({ status: "retired", retired_at_ms: nowMs }).execute();
  if (activate !== undefined) await keys([activate]).set({ status: "active", activated_at_ms: nowMs }).execute();
  for (const key of created) await transaction.insertInto(table).values(encode(key, nowMs)).execute();
}

function encode({ keyId, status, wrapped, publicJwk }: CreatedSigningKey, nowMs: bigint): SigningKeyTable {
  return {
    key_id: keyId,
    status,
    private_key: Buffer.from(wrapped),
    public_jwk: JSON.stringify(publicJwk),
    created_at_ms: nowMs,
    activated_at_ms: status === "active" ? nowMs : null,
    retired_at_ms: null,
  };
}

function decode(row: SigningKeyTable): StoredSigningKey {
  return {
    keyId: row.key_id,
    status: row.status,
    wrapped: row.private_key,
    publicJwk: JSON.parse(row.public_jwk) as JWK,
    createdAtMs: BigInt(row.created_at_ms),
    ...(row.activated_at_ms === null ? {} : { activatedAtMs: BigInt(row.activated_at_ms) }),
    ...(row.retired_at_ms === null ? {} : { retiredAtMs: BigInt(row.retired_at_ms) }),
  };
}
