import { bothKeys } from "../../../common/platform/secrets/both-keys.ts";
import { CodeResult } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { Peer } from "../../../proto/gen/tidemark/auth/v1/parameter_pb.ts";
import { recordEvent } from "../audit/audit-store.ts";
import type { AuthContext } from "../base/context.ts";
import { type CodeEntry, type CodeOutcome, checkCode } from "./sign-ins-store.ts";

/**
 * Checks a code that a user entered, within the rate limits, and records a refused one in the audit table.
 *
 * @throws ServiceError `resource_exhausted`, `unavailable`.
 */
export async function checkEnteredCode(
  { database, clock, derivedKeys, rateLimits }: AuthContext,
  entry: CodeEntry,
  peer: Peer | undefined,
): Promise<CodeOutcome> {
  const address = peer?.address ?? "";
  await rateLimits.take("code_address", address);
  const nowMs = clock();
  const outcome = await checkCode(database, bothKeys(derivedKeys, "oneTimeCode"), entry, nowMs);
  if (outcome.result === "correct") return outcome;
  const details = { address, purpose: entry.purpose, result: outcome.result };
  await database.write((transaction) => recordEvent(transaction, { event: "sign_in.code_refused", details }, nowMs));
  return outcome;
}

/** The fields of a response to a code that wasn't correct. */
export function rejectedCodeResponse(outcome: Exclude<CodeOutcome, { readonly result: "correct" }>) {
  return outcome.result === "wrong"
    ? { result: CodeResult.WRONG, triesLeft: outcome.triesLeft }
    : { result: CodeResult.NEW_CODE_REQUIRED };
}
