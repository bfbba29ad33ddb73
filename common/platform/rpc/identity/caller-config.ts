import { checkedCertificates } from "../../config/certificates.ts";
import { ConfigError, type Env } from "../../config/env.ts";
import { parseJwks, urlJwks } from "../../jwt/jwks-source.ts";
import type { KnownCallers } from "./caller-authenticator.ts";
import { CALLER_NAME, readCallerKeys } from "./caller-keys.ts";
import type { CallerIssuer } from "./issuer-token-authenticator.ts";

/** Settings that have no effect without `CALLER_TOKEN_ISSUER`. */
const DEPENDENT_SETTINGS = [
  "CALLER_SUBJECTS",
  "CALLER_TOKEN_JWKS",
  "CALLER_TOKEN_JWKS_URL",
  "CALLER_TOKEN_CA",
  "CALLER_TOKEN_JWKS_BEARER",
];
const MAX_SUBJECTS = 1_000;
/** Printable ASCII, such as Kubernetes' `system:serviceaccount:NAMESPACE:NAME`. */
const SUBJECT = /^[!-~]{1,512}$/;

/**
 * Reads who may call this service: `CALLER_KEYS`, or `CALLER_TOKEN_ISSUER` and its settings, or both.
 *
 * @throws ConfigError naming the variable
 */
export function readKnownCallers(env: Env): KnownCallers {
  const callerKeys = readCallerKeys(env);
  const callerIssuer = readCallerIssuer(env);
  if (callerKeys === undefined && callerIssuer === undefined) {
    throw new ConfigError("CALLER_KEYS", "expected name=key of each caller, or CALLER_TOKEN_ISSUER for their tokens");
  }
  return { callerKeys: callerKeys ?? new Map(), callerIssuer };
}

/** Reads `CALLER_TOKEN_ISSUER` and its settings. Undefined if it isn't set. @throws ConfigError naming the variable */
export function readCallerIssuer(env: Env): CallerIssuer | undefined {
  const issuer = env.optionalString("CALLER_TOKEN_ISSUER");
  if (issuer === undefined) {
    const stray = DEPENDENT_SETTINGS.find((name) => env.optionalSecret(name) !== undefined);
    if (stray === undefined) return undefined;
    throw new ConfigError("CALLER_TOKEN_ISSUER", `expected the issuer of callers' tokens, as ${stray} is set`);
  }
  if (!SUBJECT.test(issuer)) throw new ConfigError("CALLER_TOKEN_ISSUER", "expected an issuer such as a URL");
  return Object.freeze({ issuer, ...readJwks(env), subjects: readSubjects(env) });
}

function readSubjects(env: Env): ReadonlyMap<string, string> {
  const text = env.string("CALLER_SUBJECTS");
  const entries = text
    .split(/[,\r\n]+/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  if (entries.length > MAX_SUBJECTS) throw new ConfigError("CALLER_SUBJECTS", `expected at most ${MAX_SUBJECTS}`);
  const subjects = new Map<string, string>();
  for (const [index, entry] of entries.entries()) {
    const name = entry.split("=", 1)[0] ?? "";
    const subject = entry.slice(name.length + 1);
    if (!CALLER_NAME.test(name) || !SUBJECT.test(subject)) {
      throw new ConfigError("CALLER_SUBJECTS", `expected name=subject in entry ${index + 1}`);
    }
    if (subjects.has(subject)) {
      throw new ConfigError("CALLER_SUBJECTS", `expected each subject once, entry ${index + 1} repeats one`);
    }
    subjects.set(subject, name);
  }
  if (subjects.size > 0) return subjects;
  throw new ConfigError("CALLER_SUBJECTS", "expected name=subject of at least one caller");
}

function readJwks(env: Env): Pick<CallerIssuer, "jwks" | "keysServer"> {
  const given = env.optionalRenewable("CALLER_TOKEN_JWKS");
  const url = env.optionalUrl("CALLER_TOKEN_JWKS_URL", { protocols: ["https:"] });
  if ((given === undefined) === (url === undefined)) {
    throw new ConfigError("CALLER_TOKEN_JWKS", "expected either CALLER_TOKEN_JWKS or CALLER_TOKEN_JWKS_URL");
  }
  const ca = checkedCertificates("CALLER_TOKEN_CA", env.optionalString("CALLER_TOKEN_CA"));
  const bearer = env.optionalRenewable("CALLER_TOKEN_JWKS_BEARER");
  if (url !== undefined) {
    const shown = bearer && { bearer: () => bearer.read().trim() };
    return { jwks: urlJwks(url.href, { ...(ca && { ca }), ...shown }), keysServer: { url: url.href, ca } };
  }
  if (ca !== undefined || bearer !== undefined) {
    const stray = ca === undefined ? "CALLER_TOKEN_JWKS_BEARER" : "CALLER_TOKEN_CA";
    throw new ConfigError(stray, "expected only with CALLER_TOKEN_JWKS_URL");
  }
  const parse = (): unknown => parseJwks(given?.read() ?? "");
  if (!isJwks(parse)) throw new ConfigError("CALLER_TOKEN_JWKS", "expected a JSON Web Key Set with a list of keys");
  return { jwks: async () => parse() };
}

function isJwks(parse: () => unknown): boolean {
  try {
    return Array.isArray((parse() as { readonly keys?: unknown } | null)?.keys);
  } catch {
    return false;
  }
}
