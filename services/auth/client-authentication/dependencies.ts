import type { BaseDependencies } from "../base/dependencies.ts";
import type { UsedJwtIds } from "../base/used-jwt-ids.ts";

export interface ClientAuthenticationDependencies extends Pick<BaseDependencies, "database" | "clock"> {
  /** The origin of `AUTH_URL`: the only audience of assertions. */
  readonly issuer: string;
  readonly usedJwtIds: Pick<UsedJwtIds, "use">;
}
