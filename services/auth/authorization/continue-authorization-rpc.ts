import type { ServiceImpl } from "@connectrpc/connect";
import type { AuthorizationService } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { authorizationStepMessage } from "./authorization-step-message.ts";
import { continueAuthorization as continueOne } from "./continue-authorization.ts";
import type { AuthorizationDependencies } from "./dependencies.ts";

export function continueAuthorization(
  dependencies: AuthorizationDependencies,
): ServiceImpl<typeof AuthorizationService>["continueAuthorization"] {
  return async ({ authorizationHandle: handle, browserToken, sessionToken }) => ({
    step: authorizationStepMessage(await continueOne(dependencies, { handle, browserToken, sessionToken })),
  });
}
