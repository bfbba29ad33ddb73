import { create } from "@bufbuild/protobuf";
import { type OAuthError, OAuthErrorSchema } from "../../../proto/gen/tidemark/auth/v1/parameter_pb.ts";
import { OAuthRefusal } from "./oauth-refusal.ts";

export function oauthErrorMessage({ error, description }: OAuthRefusal): OAuthError {
  return create(OAuthErrorSchema, { error, errorDescription: description });
}

/** The message of a refusal, which is a result; anything else that was thrown is thrown on. */
export function refusalMessage(error: unknown): OAuthError {
  if (error instanceof OAuthRefusal) return oauthErrorMessage(error);
  throw error;
}
