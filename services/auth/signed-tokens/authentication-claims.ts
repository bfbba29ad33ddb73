import { AUTHENTICATION_CLASSES } from "../../../common/platform/jwt/authentication-class.ts";
import type { AuthenticationMethod } from "../base/authentication-method.ts";

/** The claims of an ID token about how its user has signed in (OpenID Connect Core section 2). */
export interface AuthenticationClaims {
  readonly acr: string;
  /** Names of RFC 8176. */
  readonly amr: readonly string[];
}

/** A passkey proves possession of a key, and its device verifies the user: two factors. */
const METHODS: Readonly<Record<AuthenticationMethod, readonly string[]>> = {
  code: ["otp"],
  passkey: ["pop", "user", "mfa"],
};

export function authenticationClaims(method: AuthenticationMethod): AuthenticationClaims {
  return { acr: AUTHENTICATION_CLASSES[method], amr: METHODS[method] };
}
