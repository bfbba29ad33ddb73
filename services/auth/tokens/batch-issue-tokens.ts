import type { ServiceImpl } from "@connectrpc/connect";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { toCallFailure } from "../../../common/platform/rpc/call-failure.ts";
import { errorMapper } from "../../../common/platform/rpc/error-interceptor.ts";
import type { AuthorizationService } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import type { AuthContext } from "../base/context.ts";

/** The time limit of each request, so that a slow one doesn't hold up the results of the others. */
const REQUEST_TIMEOUT_MS = 3_000;

type Authorization = ServiceImpl<typeof AuthorizationService>;

/** Handles a batch of token requests. Each goes to `issue` separately, so that none fails because of another. */
export function batchIssueTokens(
  issue: Authorization["issueTokens"],
  { logger }: AuthContext,
): Authorization["batchIssueTokens"] {
  return async ({ requests }, call) => {
    const mapError = errorMapper(logger, call);
    const answers = requests.map(async (request) => {
      try {
        const { result } = await withinLimit(Promise.resolve(issue(request, call)));
        return result === undefined ? {} : { result };
      } catch (error) {
        return { result: { case: "failure" as const, value: toCallFailure(mapError(error)) } };
      }
    });
    return { answers: await Promise.all(answers) };
  };
}

/** @throws ServiceError `unavailable` after the time limit; the request may still succeed, as after any timeout. */
async function withinLimit<Result>(answer: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new ServiceError("unavailable", "the request takes too long")),
    REQUEST_TIMEOUT_MS,
  );
  try {
    return await Promise.race([answer, promise]);
  } finally {
    clearTimeout(timer);
  }
}
