import type { AuthDatabase } from "../base/schema.ts";
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
