import { JwksCache } from "../../jwt/jwks-cache.ts";
import type { JwksSource } from "../../jwt/jwks-source.ts";
import { verifySignedToken } from "../../jwt/signed-token.ts";
import { bearerToken, unauthenticated } from "./bearer-token.ts";
import type { CallerAuthenticator } from "./caller.ts";
import { type VerifiedToken, VerifiedTokens } from "./verified-tokens.ts";

/** An issuer of tokens for services, such as Kubernetes with its projected service-account tokens. */
export interface CallerIssuer {
  /** `iss`, exactly. */
  readonly issuer: string;
  readonly jwks: JwksSource;
  /** Names of callers by `sub`. */
  readonly subjects: ReadonlyMap<string, string>;
}

export interface IssuerTokenOptions extends CallerIssuer {
  /** The service's own name. Tokens for other services are refused. */
  readonly audience: string;
}

const ALGORITHMS = ["RS256", "ES256"] as const;
const MAX_TOKEN_LENGTH = 8_192;
/** The time for which a verified token isn't verified again. A key that its issuer withdraws stays accepted until then. */
const CACHED_MS = 60_000;
/** The age up to which keys are used while the issuer can't be reached. Its tokens don't live longer anyway. */
const MAX_KEY_AGE_MS = 24 * 3_600_000;

/**
 * Authenticates callers by tokens of an outside issuer: RS256 or ES256, signed with a key of its JWKS, for this audience,
 * and with a subject that is mapped to a caller. Clocks may differ by 5 s.
 *
 * `authenticate` also throws ServiceError `unavailable` if the keys can't be loaded.
 */
export function issuerTokenAuthenticator(options: IssuerTokenOptions): CallerAuthenticator {
  const keys = new JwksCache(options.jwks, Date.now, { algorithms: ALGORITHMS, maxAgeMs: MAX_KEY_AGE_MS });
  const verified = new VerifiedTokens((token) => verify(token, options, keys));
  return { authenticate: async (authorization) => verified.callerOf(bearerToken(authorization, MAX_TOKEN_LENGTH)) };
}

async function verify(
  token: string,
  { issuer, audience, subjects }: IssuerTokenOptions,
  keys: JwksCache,
): Promise<VerifiedToken> {
  const nowMs = Date.now();
  const findKey = (keyId: string) => keys.find(keyId);
  const rules = { type: undefined, algorithms: ALGORITHMS, issuer, audience, findKey, nowMs };
  const claims = await verifySignedToken(token, rules);
  if (claims === undefined) throw unauthenticated("the caller token is not valid");
  const name = subjects.get(claims.sub ?? "");
  if (name === undefined) throw unauthenticated("the caller token is of an unknown subject");
  const { exp = 0 } = claims;
  return { caller: { name }, expiresAtMs: Math.min(exp * 1_000, nowMs + CACHED_MS) };
}
