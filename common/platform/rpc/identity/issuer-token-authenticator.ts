import type { Registry } from "prom-client";
import { JwksCache } from "../../jwt/jwks-cache.ts";
import { jwksFailures } from "../../jwt/jwks-failures.ts";
import type { JwksSource } from "../../jwt/jwks-source.ts";
import { verifySignedToken } from "../../jwt/signed-token.ts";
import type { Lifecycle } from "../../lifecycle/lifecycle.ts";
import type { Logger } from "../../log/log.ts";
import { bearerToken, outOfTime, unauthenticated } from "./bearer-token.ts";
import type { CallerAuthenticator } from "./caller.ts";
import { type LogRefusal, refusalLog } from "./refusal-log.ts";
import { type VerifiedToken, VerifiedTokens } from "./verified-tokens.ts";

/** An issuer of tokens for services, such as Kubernetes with its projected service-account tokens. */
export interface CallerIssuer {
  /** `iss`, exactly. */
  readonly issuer: string;
  readonly jwks: JwksSource;
  /** The server of the keys, and the authorities (PEM) that its certificate must come from. Absent if a setting has the keys. */
  readonly keysServer?: { readonly url: string; readonly ca: string | undefined };
  /** Names of callers by `sub`. */
  readonly subjects: ReadonlyMap<string, string>;
}

export interface IssuerTokenOptions extends CallerIssuer {
  /** The service's own name. Tokens for other services are refused. */
  readonly audience: string;
  /** The process isn't ready before the issuer's keys have been loaded once, as it can't verify any of its callers. */
  readonly lifecycle: Pick<Lifecycle, "addReadinessCheck" | "stopping">;
  readonly logger: Logger;
  readonly registry: Registry;
}

/** The algorithms of tokens that are accepted. */
export const ISSUER_ALGORITHMS = ["RS256", "ES256"] as const;
const MAX_TOKEN_LENGTH = 8_192;
/** The time for which a verified token isn't verified again. A key that its issuer withdraws stays accepted until then. */
const CACHED_MS = 60_000;
/** The age up to which keys are used while the issuer can't be reached. Its tokens don't live longer anyway. */
const MAX_KEY_AGE_MS = 24 * 3_600_000;

/**
 * Authenticates callers by tokens of an outside issuer: RS256 or ES256, signed with a key of its JWKS, for this audience,
 * and with a subject that is mapped to a caller. Clocks may differ by a minute.
 *
 * `authenticate` also throws ServiceError `unavailable` if the keys can't be loaded.
 */
export function issuerTokenAuthenticator(options: IssuerTokenOptions): CallerAuthenticator {
  const { jwks, lifecycle, logger, registry } = options;
  const onFailure = jwksFailures({ kind: "caller", logger, registry });
  const keys = new JwksCache(jwks, undefined, {
    algorithms: ISSUER_ALGORITHMS,
    maxAgeMs: MAX_KEY_AGE_MS,
    onFailure,
  });
  void keys.loadFirst(lifecycle.stopping);
  lifecycle.addReadinessCheck("keys of callers' tokens", () => keys.missing ?? true);
  const logRefusal = refusalLog(options);
  const verified = new VerifiedTokens((token) => verify(token, options, keys, logRefusal));
  return { authenticate: async (authorization) => verified.callerOf(bearerToken(authorization, MAX_TOKEN_LENGTH)) };
}

async function verify(
  token: string,
  { issuer, audience, subjects }: IssuerTokenOptions,
  keys: JwksCache,
  logRefusal: LogRefusal,
): Promise<VerifiedToken> {
  const nowMs = Date.now();
  const findKey = (keyId: string) => keys.find(keyId);
  let hasWrongTime = false;
  const onRefused = (reason: string, isOutOfTime = false) => {
    hasWrongTime = isOutOfTime;
    logRefusal(token, reason);
  };
  const rules = { type: undefined, algorithms: ISSUER_ALGORITHMS, issuer, audience, findKey, nowMs, onRefused };
  const claims = await verifySignedToken(token, rules);
  if (claims === undefined) {
    const message = "the caller token is not valid";
    throw hasWrongTime ? outOfTime(message) : unauthenticated(message);
  }
  const name = subjects.get(claims.sub ?? "");
  if (name === undefined) {
    onRefused("unknown subject");
    throw unauthenticated("the caller token is of an unknown subject");
  }
  const { exp = 0 } = claims;
  return { caller: { name }, expiresAtMs: exp * 1_000, heldMs: CACHED_MS };
}
