import { Env } from "../../../common/platform/config/env.ts";
import { authConfig } from "../base/config.ts";

export const ISSUER = "https://auth.example";

const KEY_ENCRYPTION_KEY = Buffer.alloc(32, 9).toString("base64url");

/** The configuration of a test; `variables` as in the environment. */
export function testAuthConfig(variables: Readonly<Record<string, string>> = {}) {
  const required = { AUTH_URL: ISSUER, KEY_ENCRYPTION_KEY, MAIL_DIR: "unused" };
  return authConfig(new Env({ ...required, ...variables }));
}
