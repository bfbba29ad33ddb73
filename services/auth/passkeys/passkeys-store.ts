import { createHash, randomBytes } from "node:crypto";
import type { Kysely, Transaction } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { AuthSchema, PasskeyTable } from "../base/schema.ts";
import { MAX_PASSKEYS, type Passkey } from "./passkey.ts";

const USER_HANDLE_BYTES = 32;

/** Inserts a passkey. @throws an error for which `isDuplicateKey` is true if the credential is stored already */
export async function insertPasskey(transaction: Transaction<AuthSchema>, passkey: Passkey): Promise<void> {
  await transaction
    .insertInto("passkey")
    .values({
      credential: credentialHash(passkey.credentialId),
      passkey: bytesOfHex(passkey.uuid),
      account: bytesOfHex(passkey.accountUuid),
      credential_id: Buffer.from(passkey.credentialId, "base64url"),
      public_key: passkey.publicKey,
      counter: BigInt(passkey.counter),
      backup_eligible: passkey.backupEligible ? 1 : 0,
      backed_up: passkey.backedUp ? 1 : 0,
      transports: passkey.transports.join(" "),
      aaguid: bytesOfHex(passkey.aaguid),
      name: passkey.name,
      created_at_ms: passkey.createdAtMs,
      last_used_at_ms: null,
    })
    .execute();
}

/** Returns the passkeys of an account, the oldest first. */
export async function listPasskeys(query: Kysely<AuthSchema>, accountUuid: string): Promise<readonly Passkey[]> {
  const rows = await query
    .selectFrom("passkey")
    .selectAll()
    .where("account", "=", bytesOfHex(accountUuid))
    .orderBy("created_at_ms")
    .orderBy("passkey")
    .limit(MAX_PASSKEYS)
    .execute();
  return rows.map(passkeyOfRow);
}

/** A passkey with the user handle of its account. */
export interface PasskeyWithHandle extends Passkey {
  /** Base64url. */
  readonly userHandle: string;
}

/** Finds the passkey of a credential ID. That of a deleted account isn't found. */
export async function findPasskey(
  query: Kysely<AuthSchema>,
  credentialId: string,
): Promise<PasskeyWithHandle | undefined> {
  const row = await query
    .selectFrom("passkey")
    .innerJoin("account", "account.account", "passkey.account")
    .selectAll("passkey")
    .select("account.user_handle")
    .where("credential", "=", credentialHash(credentialId))
    .executeTakeFirst();
  return row && { ...passkeyOfRow(row), userHandle: base64url(row.user_handle ?? new Uint8Array()) };
}

/** An accepted use of a passkey. */
export interface PasskeyUse {
  readonly credentialId: string;
  /** The counter that the authenticator has signed. */
  readonly counter: number;
  readonly backedUp: boolean;
}

/**
 * Stores a use of a passkey if its counter has risen, or is 0 as before (WebAuthn section 7.2 step 22). One statement, so
 * that of two uses with the same counter one succeeds.
 *
 * @returns whether the counter was accepted.
 */
export async function usePasskey(
  transaction: Transaction<AuthSchema>,
  { credentialId, counter, backedUp }: PasskeyUse,
  nowMs: bigint,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("passkey")
    .set({ counter: BigInt(counter), backed_up: backedUp ? 1 : 0, last_used_at_ms: nowMs })
    .where("credential", "=", credentialHash(credentialId))
    .where("counter", counter === 0 ? "=" : "<", BigInt(counter))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Renames a passkey of an account. @returns whether the account has it. */
export async function renamePasskey(
  transaction: Transaction<AuthSchema>,
  { uuid, accountUuid, name }: Pick<Passkey, "uuid" | "accountUuid" | "name">,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("passkey")
    .set({ name })
    .where("account", "=", bytesOfHex(accountUuid))
    .where("passkey", "=", bytesOfHex(uuid))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes a passkey of an account. @returns the deleted one; undefined if the account doesn't have it. */
export async function deletePasskey(
  transaction: Transaction<AuthSchema>,
  { uuid, accountUuid }: Pick<Passkey, "uuid" | "accountUuid">,
): Promise<Passkey | undefined> {
  const passkey = (await listPasskeys(transaction, accountUuid)).find((each) => each.uuid === uuid);
  if (passkey === undefined) return undefined;
  await transaction.deleteFrom("passkey").where("credential", "=", credentialHash(passkey.credentialId)).execute();
  return passkey;
}

/** Deletes all passkeys of an account. */
export async function deletePasskeys(transaction: Transaction<AuthSchema>, accountUuid: string): Promise<void> {
  await transaction.deleteFrom("passkey").where("account", "=", bytesOfHex(accountUuid)).execute();
}

function credentialHash(credentialId: string): Buffer {
  return createHash("sha256").update(Buffer.from(credentialId, "base64url")).digest();
}

function passkeyOfRow(row: PasskeyTable): Passkey {
  return {
    uuid: uuidFromBytes(row.passkey),
    accountUuid: uuidFromBytes(row.account),
    credentialId: base64url(row.credential_id),
    publicKey: Uint8Array.from(row.public_key),
    counter: Number(row.counter),
    backupEligible: Number(row.backup_eligible) === 1,
    backedUp: Number(row.backed_up) === 1,
    transports: row.transports === "" ? [] : row.transports.split(" "),
    aaguid: uuidFromBytes(row.aaguid),
    name: row.name,
    createdAtMs: BigInt(row.created_at_ms),
    lastUsedAtMs: row.last_used_at_ms === null ? undefined : BigInt(row.last_used_at_ms),
  };
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}

/**
 * Returns the bytes by which passkeys name an account, and makes them where there are none. They are random, so that an
 * authenticator, which shows them to whoever holds it, reveals no UUID of ours (WebAuthn section 14.6.1).
 *
 * @returns base64url; undefined for an account that was deleted
 */
export async function ensureUserHandle(
  transaction: Transaction<AuthSchema>,
  accountUuid: string,
): Promise<string | undefined> {
  const account = bytesOfHex(accountUuid);
  await transaction
    .updateTable("account")
    .set({ user_handle: randomBytes(USER_HANDLE_BYTES) })
    .where("account", "=", account)
    .where("user_handle", "is", null)
    .execute();
  const row = await transaction
    .selectFrom("account")
    .select("user_handle")
    .where("account", "=", account)
    .executeTakeFirst();
  return row?.user_handle ? Buffer.from(row.user_handle).toString("base64url") : undefined;
}
