import { batchedAccess } from "./access/batched-access.ts";
import type { Upstreams } from "./access/upstreams.ts";
import type { EntitiesConfig } from "./base/config.ts";
import type { BaseDependencies } from "./base/dependencies.ts";

/** The dependencies of all subjects in one object. Each subject declares only the part that it uses. */
export interface EntitiesDependencies extends BaseDependencies, Upstreams {
  readonly config: EntitiesConfig;
}

/** The dependencies that the service opens, or a test replaces; `wireDependencies` makes the others from them. */
export type OpenedDependencies = BaseDependencies & Upstreams & { readonly config: EntitiesConfig };

export function wireDependencies(opened: OpenedDependencies): EntitiesDependencies {
  return { ...opened, authorization: batchedAccess(opened.authorization) };
}
