import { recordEvent } from "../audit/audit-store.ts";
import type { AuthContext } from "../base/context.ts";
import type { PasskeyChallengeTable } from "../base/schema.ts";
import { isWithinLimit } from "../base/within-limit.ts";
import type { RefusalReason } from "./passkey-outcome.ts";

/** An answer of a passkey that was not accepted. */
export interface RefusedAnswer {
  readonly purpose: PasskeyChallengeTable["purpose"];
  readonly reason: RefusalReason;
  /** The network address of the browser. */
  readonly address: string;
  /** Undefined where the answer doesn't prove which account it is about. */
  readonly accountUuid?: string | undefined;
}

/**
 * Records an answer that was not accepted in the audit table, within the limits of the rate: anybody can send answers, and rows are
 * kept for long. The metric counts all of them.
 */
export async function recordRefusedAnswer(
  context: AuthContext,
  { accountUuid, ...details }: RefusedAnswer,
): Promise<void> {
  const { database, clock } = context;
  if (!(await isWithinLimit(context, "passkey_refusal_address", details.address))) return;
  const event = { event: "passkey.refused", accountUuid, details } as const;
  await database.write((transaction) => recordEvent(transaction, event, clock()));
}
