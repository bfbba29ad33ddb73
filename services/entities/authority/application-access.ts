import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { fromCallFailure } from "../../../common/platform/rpc/call-failure.ts";
import { passingRefusals } from "../../../common/platform/rpc/client/upstream-refusal.ts";
import type { AccessCheck, ValidAccess } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import type { ApplicationAccess } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { Upstreams } from "../base/upstreams.ts";

/** The access that an application has for its user, by the access token of a call. */
export interface ApplicationGrant {
  readonly accountUuid: string;
  /** The account's e-mail address, whatever the scopes. */
  readonly email: string;
  readonly clientUuid: string;
  readonly saleUuid: string;
  readonly scopes: ReadonlySet<string>;
}

/** The scopes that open calls of this service. */
export type AccessScope = "read_entities" | "sale_eligibility_check";

/** The access that a call needs of its access token. */
export interface NeededAccess {
  readonly scope: AccessScope;
  /** The sale that the request names; absent where it names none. */
  readonly saleUuid?: string;
}

/** The part of auth that knows what access tokens allow. */
export interface AccessUpstream {
  readonly authorization: Pick<Upstreams["authorization"], "checkAccess">;
}

/**
 * Asks auth what an access token allows now. Auth checks its proof, too, if it came with one, so that a call may ask once only.
 *
 * @throws ServiceError `unauthenticated` for a token that isn't valid, or lacks its proof; `permission_denied` if it lacks the scope, or is of
 *   another sale; `resource_exhausted`; `unavailable` if auth doesn't answer
 */
export async function requireApplication(
  { authorization }: AccessUpstream,
  access: ApplicationAccess | undefined,
  { scope, saleUuid }: NeededAccess,
): Promise<ApplicationGrant> {
  const { accessToken = "", dpop } = access ?? {};
  const proofs = dpop === undefined ? [] : [{ dpop }];
  const { checks } = await passingRefusals(authorization.checkAccess({ accessTokens: [accessToken], proofs }));
  const valid = await passingRefusals(validAccess(checks[0]));
  const grant = { ...valid, scopes: new Set(valid.scopes) };
  if (!grant.scopes.has(scope)) throw refusedToken("permission_denied", "scope", `this requires the scope ${scope}`);
  if (saleUuid !== undefined && saleUuid.toLowerCase() !== grant.saleUuid)
    throw refusedToken("permission_denied", "sale", "the access token is for another sale");
  return grant;
}

/** @throws ConnectError, ServiceError */
async function validAccess({ access, refusal, failure }: Partial<AccessCheck> = {}): Promise<ValidAccess> {
  if (access !== undefined) return access;
  if (failure !== undefined) throw fromCallFailure(failure);
  if (refusal === undefined) throw refusedToken("unauthenticated", "live", "the access token isn't valid (any more)");
  throw refusedToken("unauthenticated", refusal.error, refusal.errorDescription);
}

/** Returns an error that names the token, since the gateway passes on no other refusal with these codes. */
function refusedToken(code: "unauthenticated" | "permission_denied", rule: string, message: string): ServiceError {
  return new ServiceError(code, message, {
    violations: [{ field: "access.access_token", rule: `access_token.${rule}`, message }],
  });
}
