import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type AuthorizationStep as AuthorizationStepMessage,
  AuthorizationStepSchema,
  ErrorReason,
  type ErrorStepSchema,
  type RequestingClientSchema,
} from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { oauthErrorMessage } from "../base/oauth/oauth-error.ts";
import { type ReturnTarget, redirectHost, returnsByHttp } from "./authorization-request.ts";
import type * as domain from "./authorization-step.ts";

const REASONS: Readonly<Record<domain.ErrorReason, ErrorReason>> = {
  untrusted: ErrorReason.UNTRUSTED,
  refused: ErrorReason.REFUSED,
  expired: ErrorReason.EXPIRED,
  other_browser: ErrorReason.OTHER_BROWSER,
  answered: ErrorReason.ANSWERED,
};

export function authorizationStepMessage(step: domain.AuthorizationStep): AuthorizationStepMessage {
  return create(AuthorizationStepSchema, { step: stepOf(step) });
}

function stepOf(step: domain.AuthorizationStep) {
  switch (step.kind) {
    case "sign_in":
      return {
        case: "signIn" as const,
        value: {
          authorizationHandle: step.handle,
          client: requestingClient(step.target),
          loginHint: step.loginHint ?? "",
        },
      };
    case "choose_account":
      return {
        case: "chooseAccount" as const,
        value: {
          authorizationHandle: step.handle,
          client: requestingClient(step.target),
          accountUuid: step.accountUuid,
          email: step.email,
        },
      };
    case "consent":
      return {
        case: "consent" as const,
        value: {
          authorizationHandle: step.handle,
          client: requestingClient(step.target),
          accountUuid: step.accountUuid,
          email: step.email,
          scopes: [...step.scopes],
          identifies: step.identifies,
        },
      };
    case "redirect":
      return { case: "redirect" as const, value: { url: step.url } };
    case "error":
      return { case: "error" as const, value: errorOf(step) };
  }
}

function errorOf({
  reason,
  error,
  target,
  redirectUrl = "",
  handle = "",
}: domain.ErrorStep): MessageInitShape<typeof ErrorStepSchema> {
  return {
    error: oauthErrorMessage(error),
    ...(target === undefined ? {} : { client: requestingClient(target) }),
    redirectUrl,
    reason: REASONS[reason],
    authorizationHandle: handle,
  };
}

/** @param redirectUri undefined if the browser doesn't return to the client */
export function requestingClient({
  client,
  redirectUri,
}: Pick<ReturnTarget, "client"> & {
  readonly redirectUri: string | undefined;
}): MessageInitShape<typeof RequestingClientSchema> {
  return {
    clientUuid: client.uuid,
    name: client.definition.name,
    saleUuid: client.saleUuid,
    saleName: client.saleName,
    testTenancy: client.tenancy === "test",
    squareLogo: client.squareLogo ?? "",
    wideLogo: client.wideLogo ?? "",
    redirectHost: redirectUri === undefined ? "" : redirectHost(redirectUri),
    loopbackRedirect: redirectUri !== undefined && returnsByHttp(redirectUri),
  };
}
