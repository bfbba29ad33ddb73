import { ConfigError, type Env } from "./env.ts";

/**
 * Refuses settings that have no effect unless `needed` is set, so that nobody relies on them.
 *
 * @throws ConfigError for the first of them that is set
 */
export function checkDependentSettings(env: Env, needed: string, names: readonly string[]): void {
  const stray = env.isSet(needed) ? undefined : names.find((name) => env.isSet(name));
  if (stray !== undefined) throw new ConfigError(stray, `expected only together with ${needed}, which is not set`);
}
