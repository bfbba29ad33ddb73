import type { KeyDependencies } from "../keys/dependencies.ts";
import type { IdentityProvider } from "../setup/identity-provider.ts";

/** The dependencies of the permits' use cases. */
export interface PermitDependencies extends KeyDependencies {
  readonly identityProvider: IdentityProvider;
}
