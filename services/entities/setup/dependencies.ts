import type { EntitiesContext } from "../base/context.ts";
import type { IdentityConfig } from "../base/identity-config.ts";
import type { IdentityProvider } from "../base/identity-provider.ts";
import type { Upstreams } from "../base/upstreams.ts";

export interface SetupDependencies extends EntitiesContext, Pick<Upstreams, "accounts"> {
  readonly identity: IdentityConfig;
  readonly identityProvider: IdentityProvider;
}
