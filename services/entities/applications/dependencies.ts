import type { Upstreams } from "../authority/upstreams.ts";
import type { EntitiesContext } from "../base/context.ts";

export type ApplicationDependencies = EntitiesContext & Pick<Upstreams, "authorization" | "sales" | "commitments">;
