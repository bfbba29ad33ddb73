import { isIP } from "node:net";
import { checkDependentSettings } from "../../config/dependent-settings.ts";
import { ConfigError, type Env } from "../../config/env.ts";
import type { Logger } from "../../log/log.ts";

export interface MysqlOptions {
  /** `mysql://user:password@host:port/database`. */
  readonly url: string;
  /** Checks of the server's certificate. Absent: the connection isn't encrypted. */
  readonly tls?: MysqlTls;
  /** The most connections in the pool. */
  readonly poolSize: number;
  /** The time that a statement waits for a row lock before its transaction is tried again, in whole seconds. */
  readonly lockWaitSeconds: number;
  /** The time that a call waits for a connection of the pool, in milliseconds. */
  readonly acquireTimeoutMs: number;
  /** The time limit of a statement, in milliseconds. Its connection is closed then. */
  readonly statementTimeoutMs: number;
}

export interface MysqlTls {
  /** PEM of the authorities to trust. Those of the runtime by default. */
  readonly ca?: string;
  /** Whether the certificate must contain the host of the URL. */
  readonly verifyIdentity: boolean;
}

const DEPENDENT_SETTINGS = [
  "MYSQL_CA",
  "MYSQL_POOL_SIZE",
  "MYSQL_LOCK_WAIT",
  "MYSQL_ACQUIRE_TIMEOUT",
  "MYSQL_STATEMENT_TIMEOUT",
];

const SSL_MODE = "ssl-mode";
const TLS_PARAMETER = "expected no parameter but ssl-mode=DISABLED, VERIFY_CA or VERIFY_IDENTITY";

/**
 * `MYSQL_URL`, `MYSQL_CA` (or `MYSQL_CA_FILE`), `MYSQL_POOL_SIZE` (10), `MYSQL_LOCK_WAIT` (10 s), `MYSQL_ACQUIRE_TIMEOUT` (5 s),
 * `MYSQL_STATEMENT_TIMEOUT` (60 s), with their defaults. Undefined if no URL is set.
 *
 * @throws ConfigError naming the variable.
 */
export function mysqlOptions(env: Env): MysqlOptions | undefined {
  const url = env.optionalUrl("MYSQL_URL", { protocols: ["mysql:"], mayHaveCredentials: true });
  checkDependentSettings(env, "MYSQL_URL", DEPENDENT_SETTINGS);
  if (url === undefined) return undefined;
  const tls = readTls(url, env.optionalSecret("MYSQL_CA"));
  url.search = "";
  return Object.freeze({
    url: url.href,
    ...(tls && { tls }),
    poolSize: env.integer("MYSQL_POOL_SIZE", { default: 10, min: 1, max: 1_000 }),
    lockWaitSeconds: Math.ceil(env.duration("MYSQL_LOCK_WAIT", { default: "10s", min: "1s", max: "60s" }) / 1_000),
    acquireTimeoutMs: env.duration("MYSQL_ACQUIRE_TIMEOUT", { default: "5s", min: "100ms", max: "60s" }),
    statementTimeoutMs: env.duration("MYSQL_STATEMENT_TIMEOUT", { default: "60s", min: "1s", max: "1h" }),
  });
}

/** Returns the options of TLS by the URL's `ssl-mode`, as MySQL's own clients name it, and `MYSQL_CA`. */
function readTls({ searchParams, hostname }: URL, ca: string | undefined): MysqlTls | undefined {
  const mode = readMode(searchParams) ?? (ca === undefined ? "DISABLED" : "VERIFY_IDENTITY");
  if (mode === "DISABLED") {
    if (ca === undefined) return undefined;
    throw new ConfigError("MYSQL_URL", "expected no ssl-mode=DISABLED together with MYSQL_CA");
  }
  if (mode === "VERIFY_IDENTITY") {
    if (isAddress(hostname)) {
      throw new ConfigError(
        "MYSQL_URL",
        "expected a host name, which the certificate must contain; or ssl-mode=VERIFY_CA",
      );
    }
    return { ...(ca && { ca }), verifyIdentity: true };
  }
  if (ca !== undefined) return { ca, verifyIdentity: false };
  throw new ConfigError("MYSQL_CA", "expected the authority for ssl-mode=VERIFY_CA of MYSQL_URL, it is not set");
}

/** mysql2 would take any other parameter for one of its options. Modes that check no certificate are refused. */
function readMode(parameters: URLSearchParams): "DISABLED" | "VERIFY_CA" | "VERIFY_IDENTITY" | undefined {
  const [first, ...others] = parameters;
  if (first === undefined) return undefined;
  const [name, value] = first;
  const mode = value.toUpperCase();
  const isKnown = mode === "DISABLED" || mode === "VERIFY_CA" || mode === "VERIFY_IDENTITY";
  if (name === SSL_MODE && isKnown && others.length === 0) return mode;
  throw new ConfigError("MYSQL_URL", TLS_PARAMETER);
}

/** mysql2 doesn't check a certificate for an address. */
function isAddress(hostname: string): boolean {
  return isIP(hostname.replace(/^\[(.*)\]$/, "$1")) !== 0;
}

/** Warns about a database whose certificate is not checked for its name. */
export function warnOfTls({ tls }: Pick<MysqlOptions, "tls">, logger: Logger): void {
  if (tls?.verifyIdentity !== false) return;
  logger.warn(
    "any certificate of MYSQL_CA's authorities is accepted for the database, as MYSQL_URL has ssl-mode=VERIFY_CA",
  );
}
