import { createClient, type Transport } from "@connectrpc/connect";
import { AuthorizationService } from "../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { MembershipService } from "../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { rpcJwks } from "../shared/jwt/jwks-source.ts";
import { actorVerifier } from "../shared/rpc/identity/actor-verifier.ts";
import { COMMITMENTS_AUDIENCE } from "../shared/rpc/identity/audiences.ts";
import type { CommitmentsAuth } from "./commitments-service.ts";

/**
 * Makes the clients of the auth service over a transport to it.
 *
 * @param now milliseconds since 1970; the time of the process by default.
 */
export function authUpstream(transport: Transport, issuer: string, now: () => number = Date.now): CommitmentsAuth {
  const jwks = rpcJwks(createClient(AuthorizationService, transport));
  return {
    memberships: createClient(MembershipService, transport),
    actors: actorVerifier({ jwks, issuer, audience: COMMITMENTS_AUDIENCE, now }),
  };
}
