import type { ServiceImpl } from "@connectrpc/connect";
import type { AuthorizationService } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { ServiceError } from "../../shared/errors/service-error.ts";
import { toCallFailure } from "../../shared/rpc/call-failure.ts";
import { errorMapper } from "../../shared/rpc/error-interceptor.ts";
import type { TokenDependencies } from "./dependencies.ts";

/** Of one member of a batch: who is held up by something of its own doesn't hold up the others, whose answers may be the only ones. */
const MEMBER_LIMIT_MS = 3_000;

type Authorization = ServiceImpl<typeof AuthorizationService>;

/** Requests that come together; `issue` does each of them as if it came alone, so that none fails for another. */
export function batchIssueTokens(
  issue: Authorization["issueTokens"],
  { logger }: Pick<TokenDependencies, "logger">,
): Authorization["batchIssueTokens"] {
  return async ({ requests }, context) => {
    const mapError = errorMapper(logger, context);
    const answers = requests.map(async (request) => {
      try {
        const { result } = await withinLimit(Promise.resolve(issue(request, context)));
        return result === undefined ? {} : { result };
      } catch (error) {
        return { result: { case: "failure" as const, value: toCallFailure(mapError(error)) } };
      }
    });
    return { answers: await Promise.all(answers) };
  };
}

/** As for a call that times out, nobody knows then what becomes of it. */
async function withinLimit<Result>(answer: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new ServiceError("unavailable", "this takes too long")), MEMBER_LIMIT_MS);
  try {
    return await Promise.race([answer, promise]);
  } finally {
    clearTimeout(timer);
  }
}
