/**
 * The values of `acr` in ID tokens, by how their user has signed in (OpenID Connect Core section 2). `phr` is the class of
 * phishing-resistant sign-ins (OpenID Connect Extended Authentication Profile section 2), which a passkey is; a mailed code has no
 * class with a registered name.
 */
export const AUTHENTICATION_CLASSES = { code: "urn:tidemark:email-code", passkey: "phr" } as const;
