import { createClient, type Transport } from "@connectrpc/connect";
import type { Registry } from "prom-client";
import { jwksFailures } from "../../common/platform/jwt/jwks-failures.ts";
import { rpcJwks } from "../../common/platform/jwt/jwks-source.ts";
import type { Logger } from "../../common/platform/log/log.ts";
import type { ActorVerifier } from "../../common/platform/rpc/identity/actor.ts";
import { actorVerifier } from "../../common/platform/rpc/identity/actor-verifier.ts";
import { ENTITIES_AUDIENCE } from "../../common/platform/rpc/identity/audiences.ts";
import { AccountService } from "../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { AuthorizationService } from "../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { MembershipService } from "../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { CommitmentService } from "../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleService } from "../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { IndexerService } from "../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import type { Upstreams } from "./base/upstreams.ts";

/** Transports to the services that this one calls. */
export interface UpstreamTransports {
  readonly auth: Transport;
  readonly commitments: Transport;
  readonly indexer: Transport;
}

export interface UpstreamOptions {
  /** `AUTH_URL`. */
  readonly issuer: string;
  /** Milliseconds since 1970. The time of the process by default. */
  readonly now?: () => number;
  readonly logger: Logger;
  readonly registry: Registry;
}

/** Makes the clients of the other services. */
export function upstreamClients(transports: UpstreamTransports): Upstreams {
  return {
    accounts: createClient(AccountService, transports.auth),
    authorization: createClient(AuthorizationService, transports.auth),
    memberships: createClient(MembershipService, transports.auth),
    sales: createClient(SaleService, transports.commitments),
    commitments: createClient(CommitmentService, transports.commitments),
    indexer: createClient(IndexerService, transports.indexer),
  };
}

/** Verifies actor tokens for this service by the keys of auth. */
export function entitiesActors(
  { authorization }: Pick<Upstreams, "authorization">,
  { issuer, now, logger, registry }: UpstreamOptions,
): ActorVerifier {
  const jwks = rpcJwks(authorization);
  const onJwksFailure = jwksFailures({ kind: "actor", logger, registry });
  return actorVerifier({ jwks, issuer, audience: ENTITIES_AUDIENCE, now, monotonicNow: now, onJwksFailure });
}
