import type { AuthDependencies } from "../../web/sessions/auth-dependencies.ts";
import type { EntitiesUpstream } from "../../web/sessions/entities-upstream.ts";

/** Dependencies of the forms about mails that people ask for. */
export interface AlertDependencies extends AuthDependencies {
  readonly entitiesUpstream: EntitiesUpstream;
}
