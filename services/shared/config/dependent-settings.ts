import { ConfigError, type Env } from "./env.ts";

/**
 * Refuses settings that mean nothing while `needed` isn't set: whoever sets them believes that they do something.
 *
 * @throws ConfigError naming the first of them
 */
export function checkDependentSettings(env: Env, needed: string, names: readonly string[]): void {
  const stray = env.isSet(needed) ? undefined : names.find((name) => env.isSet(name));
  if (stray !== undefined) throw new ConfigError(stray, `expected only beside ${needed}, which is not set`);
}
