import { PasskeyResult } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { ClientDataFault } from "./client-data.ts";

/** The reason why an answer was not accepted, as the audit table has it. */
export type RefusalReason =
  | "question_over"
  | "unknown"
  | "copy_suspected"
  | "already_added"
  | "too_many"
  /** The answer doesn't have the form of WebAuthn. */
  | "malformed"
  | ClientDataFault
  /** The answer names another account than the one that has the passkey. */
  | "user_handle"
  /** Signature, RP ID, flags, algorithm or attestation. */
  | "verification";

const RESULTS: Readonly<Partial<Record<RefusalReason, PasskeyResult>>> = {
  question_over: PasskeyResult.QUESTION_OVER,
  unknown: PasskeyResult.UNKNOWN,
  copy_suspected: PasskeyResult.COPY_SUSPECTED,
  already_added: PasskeyResult.ALREADY_ADDED,
  too_many: PasskeyResult.TOO_MANY,
};

/** The result that a response names for a refused answer. */
export function refusalResult(reason: RefusalReason): PasskeyResult {
  return RESULTS[reason] ?? PasskeyResult.REFUSED;
}
