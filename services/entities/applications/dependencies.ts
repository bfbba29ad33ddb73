import type { Upstreams } from "../authority/upstreams.ts";
import type { BaseDependencies } from "../base/dependencies.ts";

export type ApplicationDependencies = BaseDependencies & Pick<Upstreams, "authorization" | "sales" | "commitments">;
