import { PasskeyResult } from "../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { Texts } from "../web/texts/en.ts";

/** Returns the text about a passkey that wasn't accepted. */
export function passkeyProblem(result: PasskeyResult, { passkeyProblem: problem }: Texts): string {
  switch (result) {
    case PasskeyResult.QUESTION_OVER:
      return problem.over;
    case PasskeyResult.UNKNOWN:
      return problem.unknown;
    case PasskeyResult.COPY_SUSPECTED:
      return problem.copy;
    case PasskeyResult.ALREADY_ADDED:
      return problem.already;
    case PasskeyResult.TOO_MANY:
      return problem.tooMany;
    default:
      return problem.refused;
  }
}
