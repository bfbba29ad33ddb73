import type { Upstreams } from "../authority/upstreams.ts";
import type { EntitiesContext } from "../base/context.ts";
import type { IdentityConfig } from "../base/identity-config.ts";
import type { IdentityProvider } from "./identity-provider.ts";

export interface SetupDependencies extends EntitiesContext, Pick<Upstreams, "accounts"> {
  readonly identity: IdentityConfig;
  readonly identityProvider: IdentityProvider;
}
