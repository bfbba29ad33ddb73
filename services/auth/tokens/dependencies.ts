import type { BaseDependencies } from "../base/dependencies.ts";
import type { DerivedKeys } from "../base/derived-keys.ts";
import type { AccessTokens } from "./access-tokens.ts";

export interface TokenDependencies extends BaseDependencies {
  readonly accessTokens: Pick<AccessTokens, "issue" | "verify">;
  readonly derivedKeys: Pick<DerivedKeys, "refreshSuccessor">;
}
