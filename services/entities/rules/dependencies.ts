import type { Upstreams } from "../access/upstreams.ts";
import type { BaseDependencies } from "../base/dependencies.ts";

export type RulesDependencies = Pick<BaseDependencies, "database" | "clock"> & Pick<Upstreams, "memberships" | "sales">;
