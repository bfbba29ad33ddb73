import type { EntitiesContext } from "../base/context.ts";
import type { Upstreams } from "../base/upstreams.ts";

export type ApplicationDependencies = EntitiesContext & Pick<Upstreams, "authorization" | "sales" | "commitments">;
