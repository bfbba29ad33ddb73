import type { ServiceImpl } from "@connectrpc/connect";
import type { AuthorizationService } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { authorizationStepMessage } from "./authorization-step-message.ts";
import { beginAuthorization as begin } from "./begin-authorization.ts";
import type { AuthorizationDependencies } from "./dependencies.ts";

export function beginAuthorization(
  dependencies: AuthorizationDependencies,
): ServiceImpl<typeof AuthorizationService>["beginAuthorization"] {
  return async ({ parameters, browserToken, sessionToken, peer }) => {
    const beginning = { parameters, browserToken, sessionToken, peerAddress: peer?.address ?? "" };
    return { step: authorizationStepMessage(await begin(dependencies, beginning)) };
  };
}
