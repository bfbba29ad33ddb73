import type { AuthDependencies } from "../../web/sessions/auth-dependencies.ts";
import type { ParticipationClients } from "../../web/sessions/entities-upstream.ts";

/** Dependencies of the account's pages about entities. */
export interface EntityDependencies extends AuthDependencies {
  readonly participation: ParticipationClients;
}
