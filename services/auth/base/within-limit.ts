import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { AuthContext } from "./context.ts";
import type { RateLimitName } from "./rate-limit.ts";

/**
 * Counts one occurrence of something that is left out beyond its limit.
 *
 * @param key as for `RateLimits.take`
 * @returns whether it is within the limit
 * @throws ServiceError `unavailable`
 */
export async function isWithinLimit({ rateLimits }: AuthContext, limit: RateLimitName, key: string): Promise<boolean> {
  try {
    await rateLimits.take(limit, key);
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "resource_exhausted") return false;
    throw error;
  }
}
