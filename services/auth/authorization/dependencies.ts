import type { BaseDependencies } from "../base/dependencies.ts";
import type { IdTokens } from "../tokens/id-tokens.ts";

export interface AuthorizationDependencies extends BaseDependencies {
  /** The origin of `AUTH_URL`, which responses carry as `iss`. */
  readonly issuer: string;
  readonly idTokens: Pick<IdTokens, "readHint">;
}
