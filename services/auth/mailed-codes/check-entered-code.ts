import { bothKeys } from "../../../common/platform/secrets/both-keys.ts";
import { CodeResult } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { Peer } from "../../../proto/gen/tidemark/auth/v1/parameter_pb.ts";
import { recordEvent } from "../audit/audit-store.ts";
import type { AuthContext } from "../base/context.ts";
import { parseOneTimeCode } from "./one-time-code.ts";
import { type CodeEntry, type CodeOutcome, checkCode } from "./sign-ins-store.ts";

/** An entry in the field for a code. */
export interface EnteredText extends Omit<CodeEntry, "code"> {
  readonly text: string;
}

export type EntryOutcome = CodeOutcome | { readonly result: "not_a_code" };

/**
 * Checks a code that a user entered, within the rate limits, and records a refused one in the audit table. Text that can't be
 * a code is no try.
 *
 * @throws ServiceError `resource_exhausted`, `unavailable`.
 */
export async function checkEnteredCode(
  { database, clock, derivedKeys, rateLimits }: AuthContext,
  { text, ...entry }: EnteredText,
  peer: Peer | undefined,
): Promise<EntryOutcome> {
  const address = peer?.address ?? "";
  await rateLimits.take("code_address", address);
  const code = parseOneTimeCode(text);
  if (code === undefined) return { result: "not_a_code" };
  const nowMs = clock();
  const outcome = await checkCode(database, bothKeys(derivedKeys, "oneTimeCode"), { ...entry, code }, nowMs);
  if (outcome.result === "correct") return outcome;
  const details = { address, purpose: entry.purpose, result: outcome.result };
  await database.write((transaction) => recordEvent(transaction, { event: "sign_in.code_refused", details }, nowMs));
  return outcome;
}

/** The fields of a response to an entry that wasn't correct. */
export function rejectedCodeResponse(outcome: Exclude<EntryOutcome, { readonly result: "correct" }>) {
  switch (outcome.result) {
    case "wrong":
      return { result: CodeResult.WRONG, triesLeft: outcome.triesLeft };
    case "not_a_code":
      return { result: CodeResult.NOT_A_CODE };
    case "new_code_required":
      return { result: CodeResult.NEW_CODE_REQUIRED };
  }
}
