import { PasskeyResult } from "../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { Texts } from "../web/texts/en.ts";

/** Name of the reason for which a passkey wasn't accepted; its text has the same name. */
export type PasskeyProblem = keyof Texts["passkeyProblem"];

/** Returns the reason for which an answer of a passkey wasn't accepted. */
export function passkeyProblem(result: PasskeyResult): PasskeyProblem {
  switch (result) {
    case PasskeyResult.QUESTION_OVER:
      return "over";
    case PasskeyResult.UNKNOWN:
      return "unknown";
    case PasskeyResult.COPY_SUSPECTED:
      return "copy";
    case PasskeyResult.ALREADY_ADDED:
      return "already";
    case PasskeyResult.TOO_MANY:
      return "tooMany";
    default:
      return "refused";
  }
}

/** Returns the text about a passkey that wasn't accepted; undefined for a problem with another name. */
export function passkeyProblemText(problem: string, texts: Texts): string | undefined {
  return Object.hasOwn(texts.passkeyProblem, problem) ? texts.passkeyProblem[problem as PasskeyProblem] : undefined;
}
