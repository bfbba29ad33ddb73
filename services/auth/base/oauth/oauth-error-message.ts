import { create } from "@bufbuild/protobuf";
import {
  type OAuthError as OAuthErrorMessage,
  OAuthErrorSchema,
} from "../../../../proto/gen/tidemark/auth/v1/parameter_pb.ts";
import { OAuthError } from "./oauth-error.ts";

export function oauthErrorMessage({ error, description }: OAuthError): OAuthErrorMessage {
  return create(OAuthErrorSchema, { error, errorDescription: description });
}

/** The message of an OAuth error that was caught. @throws anything else that was caught. */
export function caughtOAuthErrorMessage(error: unknown): OAuthErrorMessage {
  if (error instanceof OAuthError) return oauthErrorMessage(error);
  throw error;
}
