import { decodeJwt, type JWTPayload } from "jose";
import type { Logger } from "../../log/log.ts";
import { LogLimit } from "../../log/log-limit.ts";

export interface RefusalLogOptions {
  readonly issuer: string;
  readonly audience: string;
  /** Names of callers by `sub`. */
  readonly subjects: ReadonlyMap<string, string>;
  readonly logger: Logger;
}

/** Logs that a token was refused. */
export type LogRefusal = (token: string, reason: string) => void;

/** Strangers choose what a refused token says. */
const MAX_LOGGED_CHARACTERS = 200;

/**
 * Logs refused tokens with the expected and the received claims, which nobody has verified: all of them at `debug`; the
 * issuer at `info`, each reason and issuer once a minute, as anybody may send such tokens.
 */
export function refusalLog({ issuer, audience, subjects, logger }: RefusalLogOptions): LogRefusal {
  const limit = new LogLimit();
  const expected = { issuer, audience, subjects: [...subjects.keys()] };
  return (token, reason) => {
    const { iss, aud, sub } = claimsOf(token);
    const received = { issuer: loggable(iss), audience: loggable(aud), subject: loggable(sub) };
    if (logger.isLevelEnabled("debug")) {
      logger.debug({ reason, expected, received }, "a caller token is refused");
    } else if (limit.isDue(`${reason} ${received.issuer}`)) {
      const issuers = { expected: { issuer }, received: { issuer: received.issuer } };
      logger.info({ reason, ...issuers }, "a caller token is refused");
    }
  };
}

/** The claims of a token as it is. None if it is no JWT. */
function claimsOf(token: string): JWTPayload {
  try {
    return decodeJwt(token);
  } catch {
    return {};
  }
}

/** A claim as text; anything else than a text as JSON. Undefined if there is none. */
function loggable(claim: unknown): string | undefined {
  const text = typeof claim === "string" ? claim : JSON.stringify(claim);
  return text?.slice(0, MAX_LOGGED_CHARACTERS);
}
