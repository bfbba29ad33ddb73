import type { EntitiesContext } from "../base/context.ts";
import type { Upstreams } from "../base/upstreams.ts";
import type { SetupDependencies } from "../setup/dependencies.ts";
import type { AskingContext } from "./ask-outside.ts";
import type { LoadingContext } from "./load-facts.ts";

export interface EligibilityDependencies
  extends LoadingContext,
    AskingContext,
    Pick<Upstreams, "authorization">,
    Pick<SetupDependencies, "identityProvider"> {
  readonly database: EntitiesContext["database"];
}
