import type { JWTPayload } from "jose";
import { parseUuid } from "../../encoding/uuid.ts";
import { ServiceError } from "../../errors/service-error.ts";
import { JwksCache } from "../../jwt/jwks-cache.ts";
import type { JwksError } from "../../jwt/jwks-error.ts";
import type { JwksSource } from "../../jwt/jwks-source.ts";
import { verifySignedToken } from "../../jwt/signed-token.ts";
import { ACTOR_TOKEN_TYPE, type Actor, type ActorVerifier } from "./actor.ts";

export interface ActorVerifierOptions {
  readonly jwks: JwksSource;
  /** `AUTH_URL`. */
  readonly issuer: string;
  /** The service's own name, such as `tidemark.commitments`. */
  readonly audience: string;
  /** Milliseconds since 1970. The time of the process by default. */
  readonly now?: (() => number) | undefined;
  /** A monotonic clock in milliseconds, for the age of the keys. That of the process by default. */
  readonly monotonicNow?: (() => number) | undefined;
  /** Called for each failed load of the keys. */
  readonly onJwksFailure?: (error: JwksError) => void;
}

/** The longest lifetime of an actor token, in seconds. */
export const ACTOR_TOKEN_LIFETIME_S = 120;

/** The age at which auth's keys are loaded again, so that a key that was removed verifies no more. */
const KEYS_FRESH_MS = 5_000;
/** The age up to which they are used while auth is away, which then issues no tokens that outlive it. */
const KEYS_MAX_AGE_MS = 180_000;

/** Verifies actor tokens with auth's JWKS, in services other than auth. */
export function actorVerifier(options: ActorVerifierOptions): ActorVerifier {
  const { jwks, issuer, audience, now = Date.now, monotonicNow, onJwksFailure: onFailure } = options;
  const keys = new JwksCache(jwks, monotonicNow, {
    freshMs: KEYS_FRESH_MS,
    maxAgeMs: KEYS_MAX_AGE_MS,
    ...(onFailure && { onFailure }),
  });
  const findKey = (keyId: string) => keys.find(keyId);
  return {
    verify: async (token) =>
      actorOfClaims(
        await verifySignedToken(token, { type: ACTOR_TOKEN_TYPE, issuer, audience, findKey, nowMs: now() }),
      ),
  };
}

/** The person that verified claims name. @throws ServiceError `unauthenticated` if claims are missing or malformed */
export function actorOfClaims(claims: JWTPayload | undefined): Actor {
  const accountUuid = parseUuid(claims?.sub ?? "");
  const authenticatedAt = claims?.["auth_time"];
  const { iat = 0, exp = Number.POSITIVE_INFINITY } = claims ?? {};
  if (accountUuid === undefined || !Number.isSafeInteger(authenticatedAt) || exp - iat > ACTOR_TOKEN_LIFETIME_S) {
    throw invalidToken();
  }
  const authenticatedAtMs = BigInt(authenticatedAt as number) * 1_000n;
  const method = methodOf(claims?.["authenticated_by"]);
  return { accountUuid, authenticatedAtMs, ...sessionOf(claims?.["sid"]), ...method };
}

/** @param claim `code`, `passkey`, or absent; a method that this version doesn't know counts as none */
function methodOf(claim: unknown): Pick<Actor, "authenticatedBy"> {
  return claim === "code" || claim === "passkey" ? { authenticatedBy: claim } : {};
}

/** @param sid the claim `sid` of OpenID Connect: a UUID, or absent */
function sessionOf(sid: unknown): Pick<Actor, "sessionUuid"> {
  if (sid === undefined) return {};
  const sessionUuid = typeof sid === "string" ? parseUuid(sid) : undefined;
  if (sessionUuid === undefined) throw invalidToken();
  return { sessionUuid };
}

function invalidToken(): ServiceError {
  return new ServiceError("unauthenticated", "the actor token is not valid");
}
