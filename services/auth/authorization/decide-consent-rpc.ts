import type { ServiceImpl } from "@connectrpc/connect";
import type { AuthorizationService } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { authorizationStepMessage } from "./authorization-step-message.ts";
import { decideConsent as decide } from "./decide-consent.ts";
import type { AuthorizationDependencies } from "./dependencies.ts";

export function decideConsent(
  dependencies: AuthorizationDependencies,
): ServiceImpl<typeof AuthorizationService>["decideConsent"] {
  return async ({ authorizationHandle: handle, browserToken, sessionToken, accountUuid, approve, scopes }) => {
    const decision = { handle, browserToken, sessionToken, accountUuid: accountUuid.toLowerCase(), approve, scopes };
    return { step: authorizationStepMessage(await decide(dependencies, decision)) };
  };
}
