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
  context: AuthContext,
  entered: EnteredText,
  peer: Peer | undefined,
): Promise<EntryOutcome> {
  const outcome = await tryEnteredCode(context, entered, peer);
  if (outcome.result !== "correct") await recordRefusedCode(context, outcome, entered, peer);
  return outcome;
}

/** Checks a code as `checkEnteredCode` does, and leaves it to the caller to record a refused one. */
export async function tryEnteredCode(
  { database, clock, derivedKeys, rateLimits }: AuthContext,
  { text, ...entry }: EnteredText,
  peer: Peer | undefined,
): Promise<EntryOutcome> {
  await rateLimits.take("code_address", peer?.address ?? "");
  const code = parseOneTimeCode(text);
  if (code === undefined) return { result: "not_a_code" };
  return checkCode(database, bothKeys(derivedKeys, "oneTimeCode"), { ...entry, code }, clock());
}

/** Records a refused code in the audit table. */
export async function recordRefusedCode(
  { database, clock }: AuthContext,
  { result }: EntryOutcome,
  { purpose }: Pick<EnteredText, "purpose">,
  peer: Peer | undefined,
): Promise<void> {
  if (result === "not_a_code") return;
  const details = { address: peer?.address ?? "", purpose, result };
  await database.write((transaction) => recordEvent(transaction, { event: "sign_in.code_refused", details }, clock()));
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
