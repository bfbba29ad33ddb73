import type { MessageInitShape } from "@bufbuild/protobuf";
import type { OwnTokenSchema } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import type { AuthContext } from "../base/context.ts";
import { scopeText } from "../base/oauth/scope.ts";
import { timestampOf } from "../base/timestamp-message.ts";
import type { OwnToken } from "./introspect-own-token.ts";

/** Encodes a token that was introspected. */
export function ownTokenMessage(
  token: OwnToken,
  { accessTokenAudience }: AuthContext,
): MessageInitShape<typeof OwnTokenSchema> {
  const { kind, clientUuid, subject, scopes, issuedAtMs, expiresAtMs, authenticatedAtMs } = token;
  const { tokenId = "", keyThumbprint = "" } = token;
  return {
    isAccessToken: kind === "access_token",
    clientUuid,
    subject,
    scope: scopeText(scopes),
    issuedAt: timestampOf(issuedAtMs),
    expiresAt: timestampOf(expiresAtMs),
    authenticatedAt: timestampOf(authenticatedAtMs),
    tokenId,
    keyThumbprint,
    audience: kind === "access_token" ? accessTokenAudience : "",
  };
}
