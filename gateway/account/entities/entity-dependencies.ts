import type { AuthDependencies } from "../../web/sessions/auth-dependencies.ts";
import type { EntitiesUpstream } from "../../web/sessions/entities-upstream.ts";

/** Dependencies of the account's pages about entities. */
export interface EntityDependencies extends AuthDependencies {
  readonly entitiesUpstream: EntitiesUpstream;
}
