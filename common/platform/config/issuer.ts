import { ConfigError, type Env } from "./env.ts";

const LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"];

/**
 * `AUTH_URL`: the address of the sign-in for browsers and applications, and the issuer of its tokens (RFC 8414 section 2). An
 * origin without a slash at its end.
 *
 * @throws ConfigError unless it is an https origin, or an http one of this machine
 */
export function issuerOf(env: Env, standard?: string): string {
  const url = env.url("AUTH_URL", standard, { protocols: ["http:", "https:"] });
  const isOrigin = url.href === `${url.origin}/`;
  const isSecure = url.protocol === "https:" || LOOPBACK_HOSTS.includes(url.hostname);
  if (isOrigin && isSecure) return url.origin;
  throw new ConfigError("AUTH_URL", "expected an https origin without a path, or an http one of localhost");
}
