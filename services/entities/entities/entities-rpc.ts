import type { ServiceImpl } from "@connectrpc/connect";
import { invalidArgument } from "../../../common/platform/errors/service-error.ts";
import { principalOf } from "../../../common/platform/rpc/identity/principal.ts";
import type { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { requirePerson } from "../authority/person.ts";
import type { EntitiesContext } from "../base/context.ts";
import { SHOWN_PERMITS_MS } from "../base/lifetimes.ts";
import { createEntity } from "./create-entity.ts";
import { deleteEntity } from "./delete-entity.ts";
import { lockEntitiesOf, readEntitiesOf, readEntity, updateEntityRow } from "./entities-store.ts";
import { entityMessage } from "./entity-message.ts";
import { readHidden, replaceHidden } from "./hidden-entities-store.ts";
import { importEntityIds } from "./import-entity-ids.ts";
import { parseLabel } from "./label.ts";
import { checkVersion, entityNotFound, lockOwnEntity, readOwnEntity } from "./own-entity.ts";

type Methods = ServiceImpl<typeof EntityService>;

/** The methods of `EntityService` for a person's entities and for the import of IDs. */
export function entityMethods(
  dependencies: EntitiesContext,
): Pick<
  ServiceImpl<typeof EntityService>,
  | "createEntity"
  | "listEntities"
  | "getEntity"
  | "updateEntity"
  | "deleteEntity"
  | "importEntityIds"
  | "changeHiddenEntities"
  | "getHiddenEntities"
> {
  return {
    createEntity: createEntity(dependencies),
    listEntities: listEntities(dependencies),
    getEntity: getEntity(dependencies),
    updateEntity: updateEntity(dependencies),
    deleteEntity: deleteEntity(dependencies),
    importEntityIds: importEntityIds(dependencies),
    changeHiddenEntities: changeHiddenEntities(dependencies),
    getHiddenEntities: getHiddenEntities(dependencies),
  };
}

const MAX_PERMITS = 100;

/** The most wallets of a list: the account asks for the bids of each. */
const MAX_SALE_WALLETS = 20;

function listEntities({
  database,
  clock,
  identity,
  issuedPermits,
  saleWallets,
}: EntitiesContext): Methods["listEntities"] {
  return async (_request, context) => {
    const { accountUuid } = requirePerson(context);
    const nowMs = clock();
    return database.read(async (query) => {
      const entities = await readEntitiesOf(query, accountUuid);
      const uuids = entities.map(({ uuid }) => uuid);
      const permits = await issuedPermits(query, uuids, {
        sinceMs: nowMs - SHOWN_PERMITS_MS,
        limit: MAX_PERMITS + 1,
      });
      const wallets = await saleWallets(query, uuids, MAX_SALE_WALLETS + 1);
      return {
        entities: entities.map((entity) => entityMessage(entity, nowMs, identity)),
        permits: permits.slice(0, MAX_PERMITS),
        hasMorePermits: permits.length > MAX_PERMITS,
        saleWallets: wallets.slice(0, MAX_SALE_WALLETS),
        hasMoreSaleWallets: wallets.length > MAX_SALE_WALLETS,
      };
    });
  };
}

function getEntity({
  database,
  clock,
  identity,
  linkedWallets,
  disputedWallets,
}: EntitiesContext): Methods["getEntity"] {
  return async ({ entityUuid }, context) => {
    const principal = principalOf(context);
    const found = await database.read(async (query) => {
      const entity =
        principal.kind === "operator"
          ? await readEntity(query, entityUuid)
          : await readOwnEntity(query, entityUuid, principal.accountUuid);
      if (entity === undefined) throw entityNotFound(entityUuid);
      const wallets = [...(await linkedWallets(query, entity.uuid))];
      return { entity: entityMessage(entity, clock(), identity), wallets };
    });
    return { ...found, disputedWallets: [...(await disputedWallets(found.entity.uuid))] };
  };
}

function updateEntity({ database, clock, identity }: EntitiesContext): Methods["updateEntity"] {
  return async ({ entityUuid, label, expectedVersion }, context) => {
    const { accountUuid } = requirePerson(context);
    const changed = await database.write(async (transaction) => {
      const entity = await lockOwnEntity(transaction, database.dialect, entityUuid, accountUuid);
      checkVersion(entity, expectedVersion);
      const after = { ...entity, label: parseLabel(label, entity.label), version: entity.version + 1n };
      await updateEntityRow(transaction, after);
      return after;
    });
    return { entity: entityMessage(changed, clock(), identity) };
  };
}

/** Each change is for the named entities only, so that changes of two tabs don't undo each other. */
function changeHiddenEntities({ database }: EntitiesContext): Methods["changeHiddenEntities"] {
  return async ({ clientUuid, hiddenEntityUuids, shownEntityUuids }, context) => {
    const { accountUuid } = requirePerson(context);
    const hidden = canonicalUuids(hiddenEntityUuids);
    const shown = canonicalUuids(shownEntityUuids);
    const both = [...hidden].find((uuid) => shown.has(uuid));
    if (both !== undefined) {
      throw invalidArgument([{ field: "shown_entity_uuids", rule: "hidden", message: `${both} is to be hidden, too` }]);
    }
    await database.write(async (transaction) => {
      const entities = await lockEntitiesOf(transaction, database.dialect, accountUuid);
      const named = [...hidden, ...shown];
      const foreign = named.find((uuid) => entities.every((entity) => entity.uuid !== uuid));
      if (foreign !== undefined) throw entityNotFound(foreign);
      await replaceHidden(transaction, clientUuid, named, hidden);
    });
    return {};
  };
}

function getHiddenEntities({ database }: EntitiesContext): Methods["getHiddenEntities"] {
  return async ({ clientUuids }, context) => {
    const { accountUuid } = requirePerson(context);
    return { hiddenEntities: await database.read((query) => readHidden(query, clientUuids, accountUuid)) };
  };
}

function canonicalUuids(uuids: readonly string[]): Set<string> {
  return new Set(uuids.map((uuid) => uuid.toLowerCase()));
}
