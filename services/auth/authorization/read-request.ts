import type { Client } from "../applications/application.ts";
import type { AuthContext } from "../base/context.ts";
import { OAuthError } from "../base/oauth/oauth-error.ts";
import type { OAuthParameters } from "../base/oauth/oauth-parameters.ts";
import { readAuthorizationParameters } from "./authorization-parameters.ts";
import type { AuthorizationRequest, ReturnTarget } from "./authorization-request.ts";

/**
 * Reads a request whose client and redirect URI are right.
 *
 * @throws OAuthError
 */
export async function readRequest(
  context: AuthContext,
  parameters: OAuthParameters,
  { client, redirectUri }: ReturnTarget,
  nowMs: bigint,
): Promise<AuthorizationRequest> {
  const read = readAuthorizationParameters(parameters, client);
  const hintedSubject = await readHintedSubject(context, parameters, client);
  return { ...read, clientUuid: client.uuid, redirectUri, hintedSubject, createdAtMs: nowMs };
}

/**
 * Reads the user of an `id_token_hint`. One that can't be verified says that nobody knows whom the application expects, so the user
 * must sign in without it.
 *
 * @throws OAuthError `login_required`
 */
async function readHintedSubject(
  { idTokens }: AuthContext,
  parameters: OAuthParameters,
  client: Client,
): Promise<string | undefined> {
  const hint = parameters.optional("id_token_hint");
  if (hint === undefined) return undefined;
  const read = await idTokens.readHint(hint);
  if (read?.clientUuid === client.uuid) return read.subject;
  throw new OAuthError("login_required", "id_token_hint must be an ID token that this client got here, not long ago");
}
