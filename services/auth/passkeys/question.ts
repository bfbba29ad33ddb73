import { PASSKEY_CHALLENGE_LIFETIME_MS } from "../base/lifetimes.ts";
import type { Passkey } from "./passkey.ts";
import type { RelyingParty } from "./relying-party.ts";
import { PASSKEY_ALGORITHMS } from "./verify-answer.ts";

const TIMEOUT_MS = Number(PASSKEY_CHALLENGE_LIFETIME_MS);

/** The question for a sign-in with any passkey of this site: `PublicKeyCredentialRequestOptionsJSON`. */
export function signInQuestion(challenge: string, { id }: RelyingParty): string {
  return JSON.stringify({ challenge, rpId: id, timeout: TIMEOUT_MS, userVerification: "required" });
}

/** An account that gets a new passkey. */
export interface PasskeyOwner {
  readonly email: string;
  /** Base64url. */
  readonly userHandle: string;
  /** Its passkeys; an authenticator that has one of them doesn't make another. */
  readonly passkeys: readonly Pick<Passkey, "credentialId" | "transports">[];
}

/** The question for a new passkey: `PublicKeyCredentialCreationOptionsJSON`. */
export function additionQuestion(
  challenge: string,
  { id }: RelyingParty,
  { email, userHandle, passkeys }: PasskeyOwner,
): string {
  return JSON.stringify({
    challenge,
    rp: { id, name: id },
    user: { id: userHandle, name: email, displayName: email },
    pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
    timeout: TIMEOUT_MS,
    excludeCredentials: passkeys.map(({ credentialId, transports }) => ({
      type: "public-key",
      id: credentialId,
      transports,
    })),
    authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
    attestation: "none",
  });
}
