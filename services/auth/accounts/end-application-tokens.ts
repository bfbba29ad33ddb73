import type { Transaction } from "kysely";
import { recordEvent } from "../audit/audit-store.ts";
import type { AuthDatabase, AuthSchema } from "../base/schema.ts";
import { revokeFamiliesOf } from "../tokens/token-families-store.ts";
import { lockAccount } from "./accounts-store.ts";

/** Whose tokens end, and why. */
export interface EndedTokens {
  readonly accountUuid: string;
  /** The application whose tokens end; undefined: those of all applications. */
  readonly clientUuid?: string | undefined;
  readonly reason: "sign_out" | "email_change";
}

/**
 * Revokes all tokens and codes that applications have for an account. Userinfo, introspection and refresh refuse them from the
 * commit on. Consents stay: the person need not allow everything again.
 */
export async function endApplicationTokens(
  transaction: Transaction<AuthSchema>,
  { dialect }: Pick<AuthDatabase, "dialect">,
  { accountUuid, clientUuid, reason }: EndedTokens,
  nowMs: bigint,
): Promise<void> {
  // The lock waits for a code that is being issued, so that it is revoked too.
  await lockAccount(transaction, dialect, accountUuid);
  await revokeFamiliesOf(transaction, { accountUuid, clientUuid }, nowMs);
  await recordEvent(transaction, { event: "tokens.ended", accountUuid, clientUuid, details: { reason } }, nowMs);
}
