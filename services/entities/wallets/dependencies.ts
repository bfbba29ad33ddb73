import type { EntitiesContext } from "../base/context.ts";
import type { Upstreams } from "../base/upstreams.ts";
import type { EntityDependencies } from "../entities/dependencies.ts";

export interface WalletDependencies
  extends Pick<EntitiesContext, "database" | "clock">,
    Pick<Upstreams, "indexer">,
    Pick<EntityDependencies, "linkedWallets"> {
  /** `AUTH_URL`: the site that texts for wallets name. An origin without a trailing slash. */
  readonly site: string;
}
