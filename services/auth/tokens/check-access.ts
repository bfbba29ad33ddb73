import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { toCallFailure } from "../../../common/platform/rpc/call-failure.ts";
import { errorMapper } from "../../../common/platform/rpc/error-interceptor.ts";
import type {
  AccessCheckSchema,
  AuthorizationService,
} from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import type { DpopProof } from "../../../proto/gen/tidemark/auth/v1/parameter_pb.ts";
import type { AuthContext } from "../base/context.ts";
import { type LiveAccessToken, liveAccessTokens } from "./live-access-token.ts";
import { presentationError } from "./presented-access.ts";

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
