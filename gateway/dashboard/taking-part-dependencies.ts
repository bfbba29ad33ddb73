import type { ParticipationClients } from "../web/auth/participation-clients.ts";
import type { DashboardDependencies } from "./dashboard-dependencies.ts";

/** Gives out places for imports of lists. */
export interface ListImports {
  /** Takes a place for an import. @returns a function that gives it back; undefined where there is none */
  take(accountUuid: string): (() => void) | undefined;
}

/** Dependencies of the pages about who takes part: those of founders and those of reviewers. */
export interface TakingPartDependencies extends DashboardDependencies {
  readonly participation: ParticipationClients;
  /** Limits imports of lists. */
  readonly listImports: ListImports;
}
