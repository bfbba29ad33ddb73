import type { EntitiesUpstream } from "../../web/sessions/entities-upstream.ts";
import type { DashboardDependencies } from "./dashboard-dependencies.ts";

/** Gives out places for imports of files. */
export interface ListImports {
  /** Takes a place for an import. @returns a function that gives it back; undefined where there is none */
  take(accountUuid: string): (() => void) | undefined;
}

/** Dependencies of the pages with imports of files. */
export interface ImportDependencies extends DashboardDependencies {
  /** Limits imports. */
  readonly listImports: ListImports;
}

/** Dependencies of the pages about who takes part: those of founders and those of reviewers. */
export interface TakingPartDependencies extends ImportDependencies {
  readonly entitiesUpstream: EntitiesUpstream;
}
