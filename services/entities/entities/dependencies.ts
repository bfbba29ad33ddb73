import type { Kysely } from "kysely";
import type { IssuedPermitSummary, LinkedWallet } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { EntitiesContext } from "../base/context.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import type { Upstreams } from "../base/upstreams.ts";
import type { EraseEntity } from "./erase-entity.ts";

/** The permits of a list. */
export interface PermitRange {
  /** Milliseconds since 1970: only permits that were issued then or later. */
  readonly sinceMs: bigint;
  readonly limit: number;
}

export interface EntityDependencies extends EntitiesContext, Pick<Upstreams, "accounts" | "sales"> {
  /** One for each subject that keeps rows of an entity, in the order in which they run. */
  readonly eraseEntity: readonly EraseEntity[];
  /** Returns the wallets that are linked to an entity. */
  readonly linkedWallets: (query: Kysely<EntitiesSchema>, entityUuid: string) => Promise<readonly LinkedWallet[]>;
  /** Returns the permits of entities, the newest first. */
  readonly issuedPermits: (
    query: Kysely<EntitiesSchema>,
    entityUuids: readonly string[],
    range: PermitRange,
  ) => Promise<readonly IssuedPermitSummary[]>;
}
