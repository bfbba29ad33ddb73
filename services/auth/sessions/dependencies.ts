import type { BaseDependencies } from "../base/dependencies.ts";
import type { ActorTokens } from "./actor-tokens.ts";

export interface SessionDependencies extends Pick<BaseDependencies, "database" | "clock" | "rateLimits"> {
  readonly actorTokens: Pick<ActorTokens, "issue">;
}
