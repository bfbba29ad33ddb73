import { createHash } from "node:crypto";
import { compactVerify, decodeProtectedHeader, errors } from "jose";
import { parseUuid } from "../../../common/platform/encoding/uuid.ts";
import { AUTHENTICATION_CLASSES } from "../../../common/platform/jwt/authentication-class.ts";
import { fitsAlgorithm, type SignatureAlgorithm } from "../../../common/platform/jwt/signature-algorithm.ts";
import type { Clock } from "../../../common/platform/time/clock.ts";
import type { AuthenticationMethod } from "../base/authentication-method.ts";
import type { IdTokenGrant, IdTokenHint } from "../base/issued-tokens.ts";
import { ID_TOKEN_LIFETIME_S } from "../base/lifetimes.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import { pairwiseSubject } from "./pairwise-subject.ts";

export interface IdTokensOptions {
  /** The keys of ES256. */
  readonly keyRing: Pick<KeyRing, "sign" | "publicKey">;
  /** The keys of RS256. */
  readonly rsaKeyRing: Pick<KeyRing, "sign" | "publicKey">;
  readonly clock: Clock;
  readonly issuer: string;
}

/** The `typ` of ID tokens, which no verifier of access tokens accepts (RFC 8725 section 3.11). */
const ID_TOKEN_TYPE = "JWT";
const MAX_HINT_CHARACTERS = 8_192;

/** Issues ID tokens (OpenID Connect Core section 2), and verifies those that come back as hints. */
export class IdTokens {
  readonly #options: IdTokensOptions;

  constructor(options: IdTokensOptions) {
    this.#options = options;
  }

  /** @throws ServiceError `unavailable` */
  issue(grant: IdTokenGrant): Promise<string> {
    const issuedAt = seconds(this.#options.clock());
    return this.#ringOf(grant.algorithm).sign(ID_TOKEN_TYPE, {
      sub: pairwiseSubject(grant.subjectSalt, grant.accountUuid),
      aud: grant.clientUuid,
      iat: issuedAt,
      exp: issuedAt + ID_TOKEN_LIFETIME_S,
      ...(grant.authenticatedAtMs === undefined ? {} : { auth_time: seconds(grant.authenticatedAtMs) }),
      ...(grant.nonce === undefined ? {} : { nonce: grant.nonce }),
      ...authenticationClaims(grant.authenticatedBy),
      ...(grant.sharesEmail ? { email_verified: true } : {}),
      at_hash: accessTokenHash(grant.accessToken),
    });
  }

  /**
   * Reads an `id_token_hint`: any ID token of ours whose key still verifies, expired or not (OpenID Connect RP-Initiated Logout
   * section 2).
   *
   * @returns undefined for any other text
   */
  async readHint(hint: string): Promise<IdTokenHint | undefined> {
    const claims = hint.length <= MAX_HINT_CHARACTERS ? await this.#verifiedClaims(hint) : undefined;
    const clientUuid = typeof claims?.["aud"] === "string" ? parseUuid(claims["aud"]) : undefined;
    const subject = claims?.["sub"];
    if (claims?.["iss"] !== this.#options.issuer || clientUuid === undefined || typeof subject !== "string") return;
    return { subject, clientUuid };
  }

  async #verifiedClaims(token: string): Promise<Record<string, unknown> | undefined> {
    try {
      const { alg, kid, typ } = decodeProtectedHeader(token);
      if (typ !== ID_TOKEN_TYPE || (alg !== "RS256" && alg !== "ES256") || kid === undefined) return undefined;
      const key = await this.#ringOf(alg).publicKey(kid);
      if (key === undefined || !fitsAlgorithm(key, alg)) return undefined;
      const { payload } = await compactVerify(token, key, { algorithms: [alg] });
      return JSON.parse(Buffer.from(payload).toString("utf8"));
    } catch (error) {
      // decodeProtectedHeader throws a TypeError for text that is no token.
      if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
      throw error;
    }
  }

  #ringOf(algorithm: SignatureAlgorithm): Pick<KeyRing, "sign" | "publicKey"> {
    return algorithm === "RS256" ? this.#options.rsaKeyRing : this.#options.keyRing;
  }
}

/** The `at_hash` of an access token (OpenID Connect Core section 3.1.3.6): the left half of its SHA-256. */
export function accessTokenHash(accessToken: string): string {
  const hash = createHash("sha256").update(accessToken).digest();
  return hash.subarray(0, hash.length / 2).toString("base64url");
}

function seconds(timeMs: bigint): number {
  return Number(timeMs / 1_000n);
}

/** The claims of an ID token about how its user has signed in (OpenID Connect Core section 2). */
interface AuthenticationClaims {
  readonly acr: string;
  /** Names of RFC 8176. */
  readonly amr: readonly string[];
}

/** A passkey proves possession of a key, and its device verifies the user: two factors. */
const METHODS: Readonly<Record<AuthenticationMethod, readonly string[]>> = {
  code: ["otp"],
  passkey: ["pop", "user", "mfa"],
};

function authenticationClaims(method: AuthenticationMethod): AuthenticationClaims {
  return { acr: AUTHENTICATION_CLASSES[method], amr: METHODS[method] };
}
