import type { Client } from "@connectrpc/connect";
import type { Logger } from "../../../common/platform/log/log.ts";
import type { Actor } from "../../../common/platform/rpc/identity/actor.ts";
import type { Clock } from "../../../common/platform/time/clock.ts";
import type { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import type { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import type { DerivedKeys } from "./derived-keys.ts";
import type { EraseAccount } from "./erase-account.ts";
import type { AccessTokenGrant, IdTokenGrant, IdTokenHint, OwnAccessTokenClaims } from "./issued-tokens.ts";
import type { Mailer } from "./mailer.ts";
import type { RateLimiter } from "./rate-limit.ts";
import type { AuthDatabase } from "./schema.ts";
import type { SingleUseJwt } from "./used-jwt-ids.ts";

/**
 * Everything that the use cases of auth work with, the same object for all subjects. It names interfaces, so that no subject depends
 * on another one's classes; `wireContext` makes it, once a process.
 */
export interface AuthContext {
  readonly database: AuthDatabase;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The origin of `AUTH_URL`: the issuer of tokens, and the only audience of assertions. */
  readonly issuer: string;
  /** The `aud` of access tokens. */
  readonly accessTokenAudience: string;
  /** Whether only invited founders may create sales. */
  readonly onlyFounders: boolean;
  readonly rateLimits: RateLimiter;
  readonly derivedKeys: DerivedKeys;
  readonly mailer: Mailer;
  readonly sendPace: SendPacer;
  readonly usedJwtIds: SingleUse;
  readonly dpopNonces: NonceSource;
  readonly accessTokens: AccessTokenIssuer;
  readonly idTokens: IdTokenIssuer;
  readonly actorTokens: ActorTokenIssuer;
  /** A client of the commitments service. */
  readonly sales: Pick<Client<typeof SaleService>, "getSale">;
  /** A client of the entities service; undefined in a deployment without one. */
  readonly entities?: Pick<Client<typeof EntityService>, "closeAccount" | "eraseAccount"> | undefined;
  /** Finds the application of an authorization that this browser has begun; undefined where there is none. */
  readonly requestingApplication: (
    authorizationHandle: string,
    browserToken: string,
  ) => Promise<RequestingApplication | undefined>;
  /** Returns the sales that require a passkey of a person. */
  readonly salesRequiringPasskeys: (accountUuid: string) => Promise<readonly string[]>;
  /** One for each subject that keeps rows of an account, in the order in which they run. */
  readonly eraseAccount: readonly EraseAccount[];
  /** Takes everything from an account with which somebody could act for it: passkeys, sessions and tokens. */
  readonly endAccess: readonly EraseAccount[];
  /** Takes from an account what began with a code: sessions, and tokens of applications. */
  readonly endCodeAccess: readonly EraseAccount[];
}

/** Makes a send that is only imitated look like a real one. */
export interface SendPacer {
  send(work: () => Promise<void>): Promise<void>;
  imitate(): Promise<void>;
}

export interface SingleUse {
  /** Uses a JWT. @returns false if it was used before, by another request */
  use(jwt: SingleUseJwt): Promise<boolean>;
}

/** The nonces of DPoP. */
export interface NonceSource {
  present(): string;
  accepts(nonce: string): boolean;
}

export interface AccessTokenIssuer {
  issue(grant: AccessTokenGrant): Promise<{ readonly token: string; readonly expiresInSeconds: number }>;
  /** @returns undefined for any text that isn't a valid access token */
  verify(token: string): Promise<OwnAccessTokenClaims | undefined>;
}

export interface IdTokenIssuer {
  issue(grant: IdTokenGrant): Promise<string>;
  /** @returns undefined for any text that isn't an ID token of ours */
  readHint(hint: string): Promise<IdTokenHint | undefined>;
}

export interface ActorTokenIssuer {
  /** @param audience the service that accepts the token, such as `tidemark.commitments` */
  issue(actor: Actor, audience: string): Promise<{ readonly token: string; readonly expiresAtMs: bigint }>;
  verify(token: string): Promise<Actor>;
}

/** The names of an application, for a mail. Both are free text of its founder. */
export interface RequestingApplication {
  readonly name: string;
  readonly saleName: string;
}
