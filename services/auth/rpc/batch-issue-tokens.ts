import type { ServiceImpl } from "@connectrpc/connect";
import type { AuthorizationService } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { toCallFailure } from "../../shared/rpc/call-failure.ts";
import { errorMapper } from "../../shared/rpc/error-interceptor.ts";
import type { Dependencies } from "./dependencies.ts";

type Authorization = ServiceImpl<typeof AuthorizationService>;

/** Requests that come together; `issue` does each of them as if it came alone, so that none fails for another. */
export function batchIssueTokens(
  issue: Authorization["issueTokens"],
  { logger }: Pick<Dependencies, "logger">,
): Authorization["batchIssueTokens"] {
  return async ({ requests }, context) => {
    const mapError = errorMapper(logger, context);
    const answers = requests.map(async (request) => {
      try {
        const { result } = await issue(request, context);
        return result === undefined ? {} : { result };
      } catch (error) {
        return { result: { case: "failure" as const, value: toCallFailure(mapError(error)) } };
      }
    });
    return { answers: await Promise.all(answers) };
  };
}
