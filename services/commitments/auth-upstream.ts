import { createClient, type Transport } from "@connectrpc/connect";
import type { Registry } from "prom-client";
import { jwksFailures } from "../../common/platform/jwt/jwks-failures.ts";
import { rpcJwks } from "../../common/platform/jwt/jwks-source.ts";
import type { Logger } from "../../common/platform/log/log.ts";
import type { ActorVerifier } from "../../common/platform/rpc/identity/actor.ts";
import { actorVerifier } from "../../common/platform/rpc/identity/actor-verifier.ts";
import { COMMITMENTS_AUDIENCE } from "../../common/platform/rpc/identity/audiences.ts";
import { AuthorizationService } from "../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { MembershipService } from "../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { MembershipsClient } from "./base/auth-authority.ts";

/** The parts of the auth service that this service uses. */
export interface CommitmentsAuth {
  readonly memberships: MembershipsClient;
  readonly actors: ActorVerifier;
}

export interface AuthUpstreamOptions {
  readonly transport: Transport;
  /** `AUTH_URL`. */
  readonly issuer: string;
  /** Milliseconds since 1970, of a test's clock, which steps never back. The clocks of the process by default. */
  readonly now?: () => number;
  readonly logger: Logger;
  readonly registry: Registry;
}

/** Makes the clients of the auth service over a transport to it. */
export function authUpstream(options: AuthUpstreamOptions): CommitmentsAuth {
  const { transport, issuer, now, logger, registry } = options;
  const jwks = rpcJwks(createClient(AuthorizationService, transport));
  const onJwksFailure = jwksFailures({ kind: "actor", logger, registry });
  return {
    memberships: createClient(MembershipService, transport),
    actors: actorVerifier({ jwks, issuer, audience: COMMITMENTS_AUDIENCE, now, monotonicNow: now, onJwksFailure }),
  };
}
