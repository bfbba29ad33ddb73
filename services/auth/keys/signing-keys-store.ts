import type { JWK } from "jose";
import { type Kysely, sql, type Transaction } from "kysely";
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

/** Locks the keys for changes until the end of the transaction, also while there are none. */
export async function lockSigningKeys({ dialect }: AuthDatabase, transaction: Transaction<AuthSchema>): Promise<void> {
  await transaction
    .insertInto("auth_lock")
    .values({ name: "signing_key" })
    .modifyEnd(sql.raw(dialect.upsertClause(["name"], ["name"])))
    .execute();
}

/** Returns all keys, the newest first. */
export async function readSigningKeys(query: Kysely<AuthSchema>): Promise<readonly StoredSigningKey[]> {
  const rows = await query
    .selectFrom("signing_key")
    .selectAll()
    .orderBy("created_at_ms", "desc")
    .orderBy("key_id")
    .execute();
  return rows.map(decode);
}

/** Carries out a plan. @param created the new keys, one for each that the plan creates */
export async function applyKeyPlan(
  transaction: Transaction<AuthSchema>,
  { remove, retire, activate }: Omit<KeyPlan, "create">,
  created: readonly CreatedSigningKey[],
  nowMs: bigint,
): Promise<void> {
  const keys = (keyIds: readonly string[]) => transaction.updateTable("signing_key").where("key_id", "in", keyIds);
  if (remove.length > 0) await transaction.deleteFrom("signing_key").where("key_id", "in", remove).execute();
  if (retire.length > 0) await keys(retire).set({ status: "retired", retired_at_ms: nowMs }).execute();
  if (activate !== undefined) await keys([activate]).set({ status: "active", activated_at_ms: nowMs }).execute();
  for (const key of created) await transaction.insertInto("signing_key").values(encode(key, nowMs)).execute();
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
