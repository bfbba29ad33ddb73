import { createHash } from "node:crypto";
import type { Kysely, Transaction } from "kysely";
import { walletColumn, walletOfRow } from "../../../common/chains/wallet.ts";
import type { ExpiredRows } from "../../../common/platform/db/expired-rows.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { EntitiesDatabase, EntitiesSchema } from "../base/schema.ts";
import type { WalletChallengeTable } from "../base/wallet-tables.ts";
import type { LinkChallenge } from "./link-challenge.ts";

/** The person who sends a handle back. */
export interface ChallengeHolder {
  readonly accountUuid: string;
  readonly sessionUuid: string;
}

/** Returns the times at which texts were given out to an account after a moment, used or not, the earliest first. */
export async function readChallengeTimes(
  query: Kysely<EntitiesSchema>,
  accountUuid: string,
  afterMs: bigint,
): Promise<readonly bigint[]> {
  const rows = await query
    .selectFrom("wallet_challenge")
    .select("created_at_ms")
    .where("account", "=", bytesOfHex(accountUuid))
    .where("created_at_ms", ">", afterMs)
    .orderBy("created_at_ms")
    .execute();
  return rows.map(({ created_at_ms }) => BigInt(created_at_ms));
}

/** Stores a text, and of its handle the hash. The same handle may have been stored by an earlier attempt. */
export async function storeChallenge(
  transaction: Transaction<EntitiesSchema>,
  handle: string,
  challenge: LinkChallenge,
): Promise<void> {
  const { wallet } = challenge;
  const hash = hashOf(handle);
  await transaction.deleteFrom("wallet_challenge").where("challenge", "=", hash).execute();
  await transaction
    .insertInto("wallet_challenge")
    .values({
      challenge: hash,
      entity: bytesOfHex(challenge.entityUuid),
      account: bytesOfHex(challenge.accountUuid),
      session: bytesOfHex(challenge.sessionUuid),
      kind: wallet.kind,
      wallet: walletColumn(wallet),
      chain_id: challenge.chainId,
      content: challenge.text,
      created_at_ms: challenge.createdAtMs,
      expires_at_ms: challenge.expiresAtMs,
      used_at_ms: null,
    })
    .execute();
}

/**
 * Uses a text up, by one conditional update, so that of many simultaneous signatures one is checked. Where the answer of the
 * commit was lost, it counts as used.
 *
 * @returns undefined for a handle that is unknown, used or expired, or of another account or session
 */
export async function takeChallenge(
  database: EntitiesDatabase,
  handle: string,
  { accountUuid, sessionUuid }: ChallengeHolder,
  nowMs: bigint,
): Promise<LinkChallenge | undefined> {
  const hash = hashOf(handle);
  return database.write(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable("wallet_challenge")
      .set({ used_at_ms: nowMs })
      .where("challenge", "=", hash)
      .where("account", "=", bytesOfHex(accountUuid))
      .where("session", "=", bytesOfHex(sessionUuid))
      .where("used_at_ms", "is", null)
      .where("expires_at_ms", ">", nowMs)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return undefined;
    const query = transaction.selectFrom("wallet_challenge").selectAll();
    return challengeOfRow(await query.where("challenge", "=", hash).executeTakeFirstOrThrow());
  });
}

/** Makes a text usable again whose signature couldn't be checked. */
export async function returnChallenge(database: EntitiesDatabase, handle: string): Promise<void> {
  await database.write((transaction) =>
    transaction
      .updateTable("wallet_challenge")
      .set({ used_at_ms: null })
      .where("challenge", "=", hashOf(handle))
      .execute(),
  );
}

export function expiredChallenges(nowMs: bigint): ExpiredRows {
  return { table: "wallet_challenge", ageColumn: "expires_at_ms", cutoff: nowMs };
}

function challengeOfRow(row: WalletChallengeTable): LinkChallenge {
  return {
    entityUuid: uuidFromBytes(row.entity),
    accountUuid: uuidFromBytes(row.account),
    sessionUuid: uuidFromBytes(row.session),
    wallet: walletOfRow(row),
    chainId: BigInt(row.chain_id),
    text: row.content,
    createdAtMs: BigInt(row.created_at_ms),
    expiresAtMs: BigInt(row.expires_at_ms),
  };
}

function hashOf(handle: string): Buffer {
  return createHash("sha256").update(handle).digest();
}
