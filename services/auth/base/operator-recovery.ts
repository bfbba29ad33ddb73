import type { Kysely } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { refusedByRule } from "../../../common/platform/errors/service-error.ts";
import type { AuthSchema } from "./schema.ts";

/** The rule that the refusal names. */
const RULE = "account.operator_recovery";

/**
 * Checks that no recovery of the operator waits for an account. He begins one where a thief has a passkey, and the mailbox of the
 * account completes it: until then the thief must neither put his own mailbox in its place nor delete the account, nor end the
 * session in which somebody completes it. Run it again in the transaction of the change, after the account was locked.
 *
 * @throws ServiceError `failed_precondition`
 */
export async function refuseDuringOperatorRecovery(
  query: Kysely<AuthSchema>,
  accountUuid: string,
  nowMs: bigint,
): Promise<void> {
  const waiting = await query
    .selectFrom("recovery")
    .select("recovery")
    .where("account", "=", bytesOfHex(accountUuid))
    .where("by_operator", "=", 1)
    .where("expires_at_ms", ">", nowMs)
    .executeTakeFirst();
  if (waiting === undefined) return;
  throw refusedByRule(RULE, "the operator has begun a recovery of the account, which comes first");
}
