import type { Upstreams } from "../authority/upstreams.ts";
import type { BaseDependencies } from "../base/dependencies.ts";
import type { IdentityConfig } from "../base/identity-config.ts";
import type { IdentityProvider } from "./identity-provider.ts";

export interface SetupDependencies extends BaseDependencies, Pick<Upstreams, "accounts"> {
  readonly identity: IdentityConfig;
  readonly identityProvider: IdentityProvider;
}
