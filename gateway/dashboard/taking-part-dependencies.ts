import type { ParticipationClients } from "../web/auth/participation-clients.ts";
import type { DashboardDependencies } from "./dashboard-dependencies.ts";

/** Dependencies of the pages about who takes part: those of founders and those of reviewers. */
export interface TakingPartDependencies extends DashboardDependencies {
  readonly participation: ParticipationClients;
}
