/** Who asks for passkeys (WebAuthn section 4, "Relying Party"). */
export interface RelyingParty {
  /** The RP ID: exactly the host of `AUTH_URL`, so that pages of other hosts of its domain can't ask for the passkeys. */
  readonly id: string;
  /** The origin of `AUTH_URL`, the only one whose pages may ask. */
  readonly origin: string;
}

/** @param issuer the origin of `AUTH_URL` */
export function relyingPartyOf(issuer: string): RelyingParty {
  return { id: new URL(issuer).hostname, origin: issuer };
}
