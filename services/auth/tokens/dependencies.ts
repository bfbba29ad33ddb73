import type { BaseDependencies } from "../base/dependencies.ts";
import type { DerivedKeys } from "../base/derived-keys.ts";
import type { ClientAuthenticationDependencies } from "../client-authentication/dependencies.ts";
import type { DpopDependencies } from "../dpop/dependencies.ts";
import type { AccessTokens } from "./access-tokens.ts";
import type { IdTokens } from "./id-tokens.ts";

export interface TokenDependencies extends BaseDependencies, DpopDependencies, ClientAuthenticationDependencies {
  /** The `aud` of access tokens. */
  readonly accessTokenAudience: string;
  readonly accessTokens: Pick<AccessTokens, "issue" | "verify">;
  readonly idTokens: Pick<IdTokens, "issue">;
  readonly derivedKeys: Pick<DerivedKeys, "refreshSuccessor" | "other">;
}
