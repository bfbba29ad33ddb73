import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { toCallFailure } from "../../../common/platform/rpc/call-failure.ts";
import { errorMapper } from "../../../common/platform/rpc/error-interceptor.ts";
import type {
  AccessCheckSchema,
  AuthorizationService,
} from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import {
  type DpopProof,
  type OAuthError as OAuthErrorMessage,
  OAuthErrorSchema,
} from "../../../proto/gen/tidemark/auth/v1/parameter_pb.ts";
import type { AuthContext } from "../base/context.ts";
import { caughtOAuthErrorMessage, OAuthError } from "../base/oauth/oauth-error.ts";
import { presentedProof, useProof } from "../dpop/presented-proof.ts";
import { type LiveAccessToken, liveAccessTokens } from "./live-access-token.ts";
import { rateLimitKey } from "./token-holder.ts";

type CheckAccess = ServiceImpl<typeof AuthorizationService>["checkAccess"];
type AccessCheck = MessageInitShape<typeof AccessCheckSchema>;

/** Checks access tokens with one query, and each proof by itself, so that none fails because of another. */
export function checkAccess(context: AuthContext): CheckAccess {
  return async ({ accessTokens, proofs }, call) => {
    const mapError = errorMapper(context.logger, call);
    const checkOf = async (live: LiveAccessToken, token: string, dpop: DpopProof | undefined): Promise<AccessCheck> => {
      try {
        const refusal = await presentationError(context, live, token, dpop);
        return refusal === undefined ? { access: accessOf(live) } : { refusal };
      } catch (error) {
        return { failure: toCallFailure(mapError(error)) };
      }
    };
    const lives = await liveAccessTokens(context, accessTokens);
    const checks = lives.map((live, index) =>
      live?.isSufficient ? checkOf(live, accessTokens[index] ?? "", proofs[index]?.dpop) : {},
    );
    return { checks: await Promise.all(checks) };
  };
}

function accessOf({ family, scopes, claims }: LiveAccessToken): AccessCheck["access"] {
  const { accountUuid, clientUuid, saleUuid } = family.holder;
  const { keyThumbprint = "" } = claims;
  return { accountUuid, email: family.email, clientUuid, saleUuid, scopes: [...scopes], keyThumbprint };
}

/**
 * Checks that a live access token was sent as it must be (RFC 9449 sections 7.1 and 7.2): one that is bound to a key as `DPoP`,
 * with a proof of that key, which is used up then; any other one as `Bearer`, unless its client demands the former.
 *
 * @param dpop absent for a token that was sent as `Bearer`
 * @returns the error, undefined if there is none: `invalid_token`, `invalid_dpop_proof` or `use_dpop_nonce`
 * @throws ServiceError `resource_exhausted`, `unavailable`
 */
export async function presentationError(
  context: AuthContext,
  live: LiveAccessToken,
  accessToken: string,
  dpop: DpopProof | undefined,
): Promise<OAuthErrorMessage | undefined> {
  if (live.lacksKey) return LACKS_KEY;
  if (dpop === undefined) return live.claims.keyThumbprint === undefined ? undefined : BOUND;
  try {
    await requireProof(context, live, accessToken, dpop);
    return undefined;
  } catch (error) {
    return caughtOAuthErrorMessage(error);
  }
}

const BOUND = dpopChallenge("the access token is bound to a key: send it as DPoP, with a proof");
const LACKS_KEY = dpopChallenge("the client demands DPoP since this access token was issued: refresh with a proof");
const UNBOUND = new OAuthError("invalid_token", "the access token is not bound to a key: send it as Bearer");
const OTHER_KEY = new OAuthError("invalid_token", "the access token is bound to another key than that of the proof");

function dpopChallenge(errorDescription: string): OAuthErrorMessage {
  return create(OAuthErrorSchema, { error: "invalid_token", errorDescription, dpopChallenge: true });
}

/** @throws OAuthError, ServiceError. */
async function requireProof(
  context: AuthContext,
  { claims, family }: LiveAccessToken,
  accessToken: string,
  dpop: DpopProof,
): Promise<void> {
  if (claims.keyThumbprint === undefined) throw UNBOUND;
  const proof = presentedProof(context, dpop, accessToken);
  if (proof.keyThumbprint !== claims.keyThumbprint) throw OTHER_KEY;
  // Each use stores a row for some minutes.
  await context.rateLimits.take("proof_account", rateLimitKey(family.holder));
  await useProof(context, proof);
}
