import type { BaseDependencies } from "../base/dependencies.ts";
import type { ClientAuthenticationDependencies } from "../client-authentication/dependencies.ts";
import type { DpopDependencies } from "../dpop/dependencies.ts";
import type { IdTokens } from "../tokens/id-tokens.ts";

export interface AuthorizationDependencies
  extends BaseDependencies,
    ClientAuthenticationDependencies,
    Pick<DpopDependencies, "dpopNonces"> {
  readonly idTokens: Pick<IdTokens, "readHint">;
}
