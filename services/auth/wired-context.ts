import { keyEncryptionKeyId } from "../../common/platform/secrets/key-id.ts";
import type { AccountDependencies } from "./accounts/dependencies.ts";
import { eraseAccount as eraseKnownNetworks } from "./accounts/erase-account.ts";
import { SendPace } from "./accounts/send-pace.ts";
import type { ClientDependencies } from "./applications/dependencies.ts";
import type { AuthorizationDependencies } from "./authorization/dependencies.ts";
import { eraseAccount as eraseConsents } from "./authorization/erase-account.ts";
import { requestingApplication } from "./authorization/requesting-application.ts";
import type { AuthConfig } from "./base/config.ts";
import type { BaseDependencies } from "./base/dependencies.ts";
import type { DerivedKeys } from "./base/derived-keys.ts";
import { UsedJwtIds } from "./base/used-jwt-ids.ts";
import { DpopNonces } from "./dpop/nonces.ts";
import type { KeyRing } from "./keys/key-ring.ts";
import type { MembershipDependencies } from "./memberships/dependencies.ts";
import { eraseAccount as eraseMemberships } from "./memberships/erase-account.ts";
import { readSalesRequiringPasskeys } from "./memberships/passkey-rule-store.ts";
import { eraseAccount as erasePasskeys } from "./passkeys/erase-account.ts";
import type { RecoveryDependencies } from "./recovery/dependencies.ts";
import { eraseAccount as eraseRecovery } from "./recovery/erase-account.ts";
import { ActorTokens } from "./sessions/actor-tokens.ts";
import type { SessionDependencies } from "./sessions/dependencies.ts";
import { eraseCodeSessions, eraseAccount as eraseSessions } from "./sessions/erase-account.ts";
import { AccessTokens } from "./tokens/access-tokens.ts";
import type { TokenDependencies } from "./tokens/dependencies.ts";
import { eraseAccount as eraseTokens } from "./tokens/erase-account.ts";
import { IdTokens } from "./tokens/id-tokens.ts";
import { revokeCodeSignIns } from "./tokens/revoke-code-sign-ins.ts";

/** The dependencies of all subjects in one object. Each subject declares only the part that it uses. */
export interface AuthDependencies
  extends SessionDependencies,
    AccountDependencies,
    RecoveryDependencies,
    MembershipDependencies,
    ClientDependencies,
    TokenDependencies,
    AuthorizationDependencies {
  readonly derivedKeys: DerivedKeys;
  /** Names the present `KEY_ENCRYPTION_KEY`. */
  readonly keyEncryptionKeyId: string;
  readonly keyRing: KeyRing;
  /** Signs ID tokens with RS256. */
  readonly rsaKeyRing: KeyRing;
  readonly actorTokens: ActorTokens;
  readonly idTokens: IdTokens;
}

/** The dependencies that the service opens, or a test replaces; `wireDependencies` makes the others from them. */
export interface OpenedDependencies
  extends BaseDependencies,
    Pick<AuthDependencies, "derivedKeys" | "keyRing" | "rsaKeyRing" | "mailer" | "sales" | "entities"> {
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

export function wireDependencies({ config, ...opened }: OpenedDependencies): AuthDependencies {
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
