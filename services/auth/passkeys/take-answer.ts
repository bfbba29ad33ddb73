import { recordEvent } from "../audit/audit-store.ts";
import type { AuthContext } from "../base/context.ts";
import { isWithinLimit } from "../base/rate-limit.ts";
import type { AuthDatabase, PasskeyChallengeTable } from "../base/schema.ts";
import { type ChallengeUse, takeChallenge } from "./challenges-store.ts";
import { clientDataFault, parseClientData } from "./client-data.ts";
import type { RefusalReason } from "./passkey-outcome.ts";
import type { RelyingParty } from "./relying-party.ts";

const TYPES = { add: "webauthn.create", sign_in: "webauthn.get" } as const;

/**
 * Uses up the challenge that an answer names, and checks what the browser has written. The challenge is gone whatever comes of the
 * answer.
 *
 * @param clientDataJson as base64url
 * @returns the challenge, or the reason why the answer is refused
 */
export async function takeAnswer(
  database: AuthDatabase,
  clientDataJson: string,
  use: ChallengeUse,
  { origin }: RelyingParty,
  nowMs: bigint,
): Promise<{ readonly challenge: string } | { readonly reason: RefusalReason }> {
  const clientData = parseClientData(clientDataJson);
  if (clientData === undefined) return { reason: "malformed" };
  const { challenge } = clientData;
  if (!(await database.write((transaction) => takeChallenge(transaction, challenge, use, nowMs)))) {
    return { reason: "question_over" };
  }
  const fault = clientDataFault(clientData, { type: TYPES[use.purpose], origin });
  return fault === undefined ? { challenge } : { reason: fault };
}

/** An answer of a passkey that was not accepted. */
interface RefusedAnswer {
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
