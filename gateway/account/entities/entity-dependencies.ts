import type { AuthDependencies } from "../../web/auth/auth-dependencies.ts";
import type { ParticipationClients } from "../../web/auth/participation-clients.ts";

/** Dependencies of the account's pages about entities. */
export interface EntityDependencies extends AuthDependencies {
  readonly participation: ParticipationClients;
}
