import type { BaseDependencies } from "../base/dependencies.ts";
import type { ClientAuthenticationDependencies } from "../client-authentication/dependencies.ts";
import type { IdTokens } from "../tokens/id-tokens.ts";

export interface AuthorizationDependencies extends BaseDependencies, ClientAuthenticationDependencies {
  readonly idTokens: Pick<IdTokens, "readHint">;
}
