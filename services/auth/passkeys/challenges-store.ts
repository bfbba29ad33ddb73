import type { Transaction } from "kysely";
import type { ExpiredRows } from "../../../common/platform/db/expired-rows.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { PASSKEY_CHALLENGE_LIFETIME_MS } from "../base/lifetimes.ts";
import { newOpaqueToken, opaqueTokenHash } from "../base/opaque-token.ts";
import type { AuthDatabase, AuthSchema, PasskeyChallengeTable } from "../base/schema.ts";

/** The use of a challenge: it is valid for this only. */
export interface ChallengeUse {
  readonly browserToken: string;
  readonly purpose: PasskeyChallengeTable["purpose"];
  /** The account that gets the passkey; only for `add`. */
  readonly accountUuid?: string;
}

/** Makes and stores a challenge. @returns 32 random bytes, as base64url */
export async function newChallenge(database: AuthDatabase, use: ChallengeUse, nowMs: bigint): Promise<string> {
  const challenge = newOpaqueToken();
  const row = {
    challenge: opaqueTokenHash(challenge),
    browser: opaqueTokenHash(use.browserToken),
    purpose: use.purpose,
    account: use.accountUuid === undefined ? null : bytesOfHex(use.accountUuid),
    created_at_ms: nowMs,
    expires_at_ms: nowMs + PASSKEY_CHALLENGE_LIFETIME_MS,
  };
  try {
    await database.write((transaction) => transaction.insertInto("passkey_challenge").values(row).execute());
  } catch (error) {
    // The challenge is random, so the existing row is this one: an attempt whose outcome was lost has inserted it.
    if (!database.dialect.isDuplicateKey(error)) throw error;
  }
  return challenge;
}

/**
 * Uses a challenge up. Of concurrent calls one succeeds. Commit it before the answer is checked, so that an answer can be
 * tried once.
 *
 * @returns false where it is unknown, used up or expired, or was made for another use.
 */
export async function takeChallenge(
  transaction: Transaction<AuthSchema>,
  challenge: string,
  { browserToken, purpose, accountUuid }: ChallengeUse,
  nowMs: bigint,
): Promise<boolean> {
  const ofUse = transaction
    .deleteFrom("passkey_challenge")
    .where("challenge", "=", opaqueTokenHash(challenge))
    .where("browser", "=", opaqueTokenHash(browserToken))
    .where("purpose", "=", purpose)
    .where("expires_at_ms", ">", nowMs);
  const query =
    accountUuid === undefined
      ? ofUse.where("account", "is", null)
      : ofUse.where("account", "=", bytesOfHex(accountUuid));
  const { numDeletedRows } = await query.executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Deletes the challenges for an account. */
export async function deleteChallenges(transaction: Transaction<AuthSchema>, accountUuid: string): Promise<void> {
  await transaction.deleteFrom("passkey_challenge").where("account", "=", bytesOfHex(accountUuid)).execute();
}

export function expiredChallenges(nowMs: bigint): ExpiredRows {
  return { table: "passkey_challenge", ageColumn: "expires_at_ms", cutoff: nowMs };
}
