import type { Client } from "../applications/application.ts";
import { findClient } from "../applications/applications-store.ts";
import type { AuthContext } from "../base/context.ts";
import type { IdTokenHint } from "../base/issued-tokens.ts";
import { OAuthError } from "../base/oauth/oauth-error.ts";
import { type OAuthParameter, OAuthParameters } from "../base/oauth/oauth-parameters.ts";
import { findSession } from "../sessions/sessions-store.ts";
import { findSubject } from "../signed-tokens/subjects-store.ts";
import { type LogoutReturn, logoutClientUuid, logoutReturn } from "./logout-parameters.ts";

export interface LogoutBeginning {
  readonly parameters: readonly OAuthParameter[];
  /** Empty for none. */
  readonly sessionToken: string;
  /** The network address of the browser; empty if it isn't known. */
  readonly peerAddress: string;
}

/** A checked logout request. */
interface LogoutRequest {
  readonly client: Client | undefined;
  readonly returnsTo: LogoutReturn | undefined;
  readonly hint: IdTokenHint | undefined;
}

/**
 * Checks a logout request (OpenID Connect RP-Initiated Logout section 2) and returns its page. The user is asked in any case, so
 * that no link or image signs anybody out; a hint only makes the question clearer, so that one that can't be verified is as none.
 *
 * @throws ServiceError `resource_exhausted`, `unavailable`.
 */
export async function beginLogout(context: AuthContext, beginning: LogoutBeginning): Promise<LogoutStep> {
  await context.rateLimits.take("authorize_address", beginning.peerAddress);
  try {
    const request = await readLogout(context, new OAuthParameters(beginning.parameters));
    return await pageFor(context, request, beginning.sessionToken);
  } catch (error) {
    if (error instanceof OAuthError) return { kind: "error", error };
    throw error;
  }
}

/** @throws OAuthError */
async function readLogout({ database, idTokens }: AuthContext, parameters: OAuthParameters): Promise<LogoutRequest> {
  const text = parameters.optional("id_token_hint");
  const hint = text === undefined ? undefined : await idTokens.readHint(text);
  const clientUuid = logoutClientUuid(parameters, hint);
  const client = clientUuid === undefined ? undefined : await findClient(database, clientUuid);
  if (clientUuid !== undefined && client?.status !== "active") {
    throw new OAuthError("invalid_client", "the client is unknown or disabled");
  }
  return { client, hint, returnsTo: logoutReturn(parameters, client) };
}

async function pageFor(
  context: AuthContext,
  { client, returnsTo, hint }: LogoutRequest,
  sessionToken: string,
): Promise<LogoutStep> {
  const session = await findSession(context.database, sessionToken, context.clock());
  if (session === undefined) return { kind: "signed_out", client, returnsTo };
  const { accountUuid, email } = session;
  const subject = hint && client && (await subjectOf(context, accountUuid, client));
  return { kind: "confirm", client, returnsTo, email, isOtherUser: subject !== hint?.subject };
}

function subjectOf({ database }: AuthContext, accountUuid: string, { saleUuid }: Client): Promise<string | undefined> {
  return database.read((query) => findSubject(query, { accountUuid, saleUuid }));
}

/** The page for a logout request. None leads to the application without a click of the user. */
export type LogoutStep =
  | {
      readonly kind: "confirm";
      /** The application that asks; undefined if the request doesn't name one. */
      readonly client: Client | undefined;
      readonly returnsTo: LogoutReturn | undefined;
      /** The address of the account that is signed in. */
      readonly email: string;
      /** Whether the application's ID token is about another user. */
      readonly isOtherUser: boolean;
    }
  | {
      /** Nobody is signed in. */
      readonly kind: "signed_out";
      readonly client: Client | undefined;
      readonly returnsTo: LogoutReturn | undefined;
    }
  | { readonly kind: "error"; readonly error: OAuthError };
