import { keyEncryptionKeyId } from "../../common/platform/secrets/key-id.ts";
import { eraseAccount as eraseKnownNetworks } from "./accounts/erase-account.ts";
import { requestingApplication } from "./authorization/requesting-application.ts";
import type { AuthConfig } from "./base/config.ts";
import type { AuthContext } from "./base/context.ts";
import { UsedJwtIds } from "./base/used-jwt-ids.ts";
import { eraseAccount as eraseConsents } from "./consents/erase-account.ts";
import { DpopNonces } from "./dpop/nonces.ts";
import type { KeyRings } from "./keys/key-ring.ts";
import { SendPace } from "./mailed-codes/send-pace.ts";
import { eraseAccount as eraseMemberships } from "./memberships/erase-account.ts";
import { readSalesRequiringPasskeys } from "./memberships/passkey-rule-store.ts";
import { eraseAccount as erasePasskeys } from "./passkeys/erase-account.ts";
import { eraseAccount as eraseRecovery } from "./recovery/erase-account.ts";
import { ActorTokens } from "./sessions/actor-tokens.ts";
import { eraseCodeSessions, eraseAccount as eraseSessions } from "./sessions/erase-account.ts";
import { AccessTokens } from "./signed-tokens/access-tokens.ts";
import { IdTokens } from "./signed-tokens/id-tokens.ts";
import { revokeCodeSignIns } from "./tokens/code-sign-ins-store.ts";
import { eraseAccount as eraseTokens } from "./tokens/erase-account.ts";

/** The context of the use cases, and the keys that only the RPCs about keys use. */
export interface WiredContext extends AuthContext, KeyRings {
  /** Names the present `KEY_ENCRYPTION_KEY`. */
  readonly keyEncryptionKeyId: string;
}

/** The parts of the context that the service opens, or a test replaces; `wireContext` makes the others from them. */
export interface OpenedContext
  extends KeyRings,
    Pick<
      AuthContext,
      "database" | "clock" | "logger" | "rateLimits" | "derivedKeys" | "mailer" | "sales" | "entities"
    > {
  readonly config: AuthConfig;
}

/** Memberships come first: they can refuse the deletion, and they lock sales. */
const ERASE_ACCOUNT = [
  eraseMemberships,
  eraseTokens,
  eraseConsents,
  eraseSessions,
  erasePasskeys,
  eraseRecovery,
  eraseKnownNetworks,
];

export function wireContext({ config, ...opened }: OpenedContext): WiredContext {
  const { database, clock, keyRing, rsaKeyRing, derivedKeys } = opened;
  const { issuer, accessTokenAudience: audience, accessTokenTtlMs: ttlMs, founders } = config;
  return {
    ...opened,
    issuer,
    keyEncryptionKeyId: keyEncryptionKeyId(config.keyEncryptionKey),
    onlyFounders: founders === "invited",
    accessTokenAudience: audience,
    dpopNonces: new DpopNonces({ derivedKeys, clock }),
    usedJwtIds: new UsedJwtIds(database),
    accessTokens: new AccessTokens({ keyRing, clock, audience, ttlMs }),
    idTokens: new IdTokens({ keyRing, rsaKeyRing, clock, issuer }),
    actorTokens: new ActorTokens({ keyRing, clock }),
    requestingApplication: (authorizationHandle, browserToken) =>
      requestingApplication(database, authorizationHandle, browserToken),
    sendPace: new SendPace(),
    eraseAccount: ERASE_ACCOUNT,
    endAccess: [erasePasskeys, eraseTokens, eraseSessions],
    endCodeAccess: [revokeCodeSignIns, eraseCodeSessions],
    salesRequiringPasskeys: (accountUuid) => database.read((query) => readSalesRequiringPasskeys(query, accountUuid)),
  };
}
