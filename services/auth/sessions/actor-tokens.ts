import { ACTOR_TOKEN_TYPE, type Actor, type ActorVerifier } from "../../../common/platform/rpc/identity/actor.ts";
import { ACTOR_TOKEN_LIFETIME_S, actorOfClaims } from "../../../common/platform/rpc/identity/actor-verifier.ts";
import { AUTH_AUDIENCE } from "../../../common/platform/rpc/identity/audiences.ts";
import type { Clock } from "../../../common/platform/time/clock.ts";
import type { KeyRing } from "../keys/key-ring.ts";

export interface ActorTokensOptions {
  readonly keyRing: Pick<KeyRing, "sign" | "verify">;
  readonly clock: Clock;
}

/** Tokens that say for which person the gateway calls a service. They are issued for a session. */
export class ActorTokens implements ActorVerifier {
  readonly #options: ActorTokensOptions;

  constructor(options: ActorTokensOptions) {
    this.#options = options;
  }

  /** @param audience the service that accepts the token, such as `tidemark.commitments`. */
  async issue(
    { accountUuid, authenticatedAtMs, sessionUuid, authenticatedBy }: Actor,
    audience: string,
  ): Promise<{ readonly token: string; readonly expiresAtMs: bigint }> {
    const { keyRing, clock } = this.#options;
    const issuedAt = Number(clock() / 1_000n);
    const token = await keyRing.sign(ACTOR_TOKEN_TYPE, {
      aud: audience,
      sub: accountUuid,
      iat: issuedAt,
      exp: issuedAt + ACTOR_TOKEN_LIFETIME_S,
      auth_time: Number(authenticatedAtMs / 1_000n),
      ...(sessionUuid !== undefined && { sid: sessionUuid }),
      ...(authenticatedBy !== undefined && { authenticated_by: authenticatedBy }),
    });
    return { token, expiresAtMs: BigInt(issuedAt + ACTOR_TOKEN_LIFETIME_S) * 1_000n };
  }

  /** Returns the person of a token whose audience is auth. @throws ServiceError `unauthenticated` */
  async verify(token: string): Promise<Actor> {
    return actorOfClaims(
      await this.#options.keyRing.verify(token, { type: ACTOR_TOKEN_TYPE, audience: AUTH_AUDIENCE }),
    );
  }
}
