import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { parseUserAgent } from "../../../common/platform/http/user-agent.ts";
import { brokenNameRules } from "../../../common/platform/names/name-rules.ts";
import { browserName, type MailBrowser } from "../mail/browser-name.ts";

/** The number of passkeys that an account can have. */
export const MAX_PASSKEYS = 20;

/** A passkey of an account: the public part of a WebAuthn credential. Times are milliseconds since 1970. */
export interface Passkey {
  /** Identifies the passkey in lists. */
  readonly uuid: string;
  readonly accountUuid: string;
  /** Chosen by the authenticator; base64url, of 1 to 1,023 bytes. */
  readonly credentialId: string;
  /** A COSE_Key (RFC 9052). */
  readonly publicKey: Uint8Array<ArrayBuffer>;
  /** The signature counter of the last use; 0 with authenticators that have none. */
  readonly counter: number;
  /** Whether it can be copied to other devices; it never changes. */
  readonly backupEligible: boolean;
  /** Whether it was copied, at its last use. */
  readonly backedUp: boolean;
  /** Ways to reach its authenticator, such as `internal`. */
  readonly transports: readonly string[];
  /** UUID of the authenticator's model; zeros where it doesn't say. */
  readonly aaguid: string;
  /** Chosen by its owner. */
  readonly name: string;
  readonly createdAtMs: bigint;
  /** Undefined until its first sign-in. */
  readonly lastUsedAtMs: bigint | undefined;
}

const MAX_CHARACTERS = 64;

/** Reads the name of a passkey. @throws ServiceError `invalid_argument` naming the broken rules */
export function parsePasskeyName(entered: string): string {
  const name = entered.trim();
  const broken = brokenNameRules(name, { maxCharacters: MAX_CHARACTERS });
  if (broken.length === 0) return name;
  const violations = broken.map((rule) => ({ field: "name", ...rule }));
  throw new ServiceError("invalid_argument", "the name of the passkey is not accepted", { violations });
}

/** The name of a passkey that its owner hasn't named: the browser in which it was added. */
export function defaultPasskeyName({ userAgent, language }: MailBrowser): string {
  const { browser, system } = parseUserAgent(userAgent);
  return browser === undefined && system === undefined ? "Passkey" : browserName(userAgent, language);
}
