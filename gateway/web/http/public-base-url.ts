import { ConfigError, type Env } from "../../../common/platform/config/env.ts";

/**
 * `PUBLIC_BASE_URL`: origin of the public read and of the sale pages.
 *
 * @throws ConfigError naming the variable
 */
export function publicBaseUrl(env: Env): string | undefined {
  const url = env.optionalUrl("PUBLIC_BASE_URL", { protocols: ["http:", "https:"] });
  if (url === undefined || url.href === `${url.origin}/`) return url?.origin;
  throw new ConfigError("PUBLIC_BASE_URL", "expected an origin without a path");
}
