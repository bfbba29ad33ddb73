import type { ServiceImpl } from "@connectrpc/connect";
import { principalOf } from "../../../common/platform/rpc/identity/principal.ts";
import type { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { requirePerson } from "../authority/person.ts";
import type { EntitiesContext } from "../base/context.ts";
import { SHOWN_PERMITS_MS } from "../base/lifetimes.ts";
import { readEntitiesOf, readEntity } from "./entities-store.ts";
import { entityMessage } from "./entity-message.ts";
import { entityNotFound, readOwnEntity } from "./own-entity.ts";

type Methods = ServiceImpl<typeof EntityService>;

const MAX_PERMITS = 100;

export function listEntities({ database, clock, issuedPermits }: EntitiesContext): Methods["listEntities"] {
  return async (_request, context) => {
    const { accountUuid } = requirePerson(context);
    const nowMs = clock();
    return database.read(async (query) => {
      const entities = await readEntitiesOf(query, accountUuid);
      const uuids = entities.map(({ uuid }) => uuid);
      const permits = await issuedPermits(query, uuids, { sinceMs: nowMs - SHOWN_PERMITS_MS, limit: MAX_PERMITS });
      return { entities: entities.map((entity) => entityMessage(entity, nowMs)), permits: [...permits] };
    });
  };
}

export function getEntity({ database, clock, linkedWallets }: EntitiesContext): Methods["getEntity"] {
  return async ({ entityUuid }, context) => {
    const principal = principalOf(context);
    return database.read(async (query) => {
      const entity =
        principal.kind === "operator"
          ? await readEntity(query, entityUuid)
          : await readOwnEntity(query, entityUuid, principal.accountUuid);
      if (entity === undefined) throw entityNotFound(entityUuid);
      return { entity: entityMessage(entity, clock()), wallets: [...(await linkedWallets(query, entity.uuid))] };
    });
  };
}
