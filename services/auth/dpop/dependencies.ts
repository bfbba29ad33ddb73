import type { BaseDependencies } from "../base/dependencies.ts";
import type { UsedJwtIds } from "../base/used-jwt-ids.ts";
import type { DpopNonces } from "./nonces.ts";

export interface DpopDependencies extends Pick<BaseDependencies, "clock"> {
  readonly dpopNonces: Pick<DpopNonces, "present" | "accepts">;
  readonly usedJwtIds: Pick<UsedJwtIds, "use">;
}
