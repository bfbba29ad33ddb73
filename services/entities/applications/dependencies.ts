import type { Upstreams } from "../access/upstreams.ts";
import type { BaseDependencies } from "../base/dependencies.ts";

export type ApplicationDependencies = BaseDependencies & Pick<Upstreams, "authorization" | "sales" | "commitments">;
