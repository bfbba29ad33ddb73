import type { BaseDependencies } from "../base/dependencies.ts";

export interface AuthorizationDependencies extends BaseDependencies {
  /** The origin of `AUTH_URL`, which responses carry as `iss`. */
  readonly issuer: string;
}
