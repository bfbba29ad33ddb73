import type { BaseDependencies } from "../base/dependencies.ts";
import type { EraseAccount } from "../base/erase-account.ts";
import type { Mailer } from "../base/mailer.ts";

export interface RecoveryDependencies extends BaseDependencies {
  readonly mailer: Mailer;
  /** The origin of `AUTH_URL`. */
  readonly issuer: string;
  /** Takes everything from an account with which somebody could act for it: passkeys, sessions and tokens. */
  readonly endAccess: readonly EraseAccount[];
  /** Takes from an account what began with a code: sessions, and tokens of applications. */
  readonly endCodeAccess: readonly EraseAccount[];
  /** Returns the sales that require a passkey of a person. */
  readonly salesRequiringPasskeys: (accountUuid: string) => Promise<readonly string[]>;
}
