import type { ServiceImpl } from "@connectrpc/connect";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { checkRecentSignIn } from "../../../common/platform/rpc/identity/recent-sign-in.ts";
import type { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { requirePerson } from "../authority/person.ts";
import type { EntitiesContext } from "../base/context.ts";
import type { Entity } from "../base/entity.ts";
import { lockSaleForChange } from "../base/lock-sale.ts";
import { lockEntity } from "../entities/entities-store.ts";
import { entityNotFound, lockOwnEntity } from "../entities/own-entity.ts";
import { findSaleEntity, type SaleEntity } from "../entities/sale-entities-store.ts";
import { storeHandle } from "./handles-store.ts";
import { storeLiveness } from "./liveness-store.ts";

/**
 * Returns the page at which the person of an entity proves to be present, for one sale. `hasLiveness` says whether they have.
 *
 * @throws ServiceError `not_found` if the entity was deleted meanwhile
 */
export async function livenessUrl(
  { database, clock, identityProvider }: Pick<EntitiesContext, "database" | "clock" | "identityProvider">,
  saleUuid: string,
  { type }: Pick<Entity, "type">,
  { entityUuid, publicUuid }: Pick<SaleEntity, "entityUuid" | "publicUuid">,
): Promise<string> {
  const nowMs = clock();
  const { url, handle } = identityProvider.livenessPage({ saleUuid, entityUuid, publicUuid, type }, nowMs);
  if (handle === undefined) return url;
  await database.write(async (transaction) => {
    const entity = await lockEntity(transaction, database.dialect, entityUuid);
    if (entity === undefined) throw entityNotFound(publicUuid);
    await storeHandle(transaction, handle, { entityUuid, saleUuid }, nowMs);
  });
  return url;
}

export function confirmLiveness({
  database,
  clock,
  identity,
}: EntitiesContext): ServiceImpl<typeof EntityService>["confirmLiveness"] {
  return async ({ saleUuid, entityUuid: publicUuid }, context) => {
    const person = requirePerson(context);
    if (identity.provider === "webhook") {
      throw new ServiceError("failed_precondition", "the identity provider says who is present, not the user");
    }
    const provedAtMs = clock();
    checkRecentSignIn(person, provedAtMs);
    // Kept after the entity's deletion, so that what was found stays true.
    const saleEntity = await database.read((query) => findSaleEntity(query, saleUuid, publicUuid));
    if (saleEntity === undefined) throw entityNotFound(publicUuid);
    const { entityUuid } = saleEntity;
    await database.writeExclusive(saleUuid, async (transaction) => {
      await lockSaleForChange(transaction, database.dialect, saleUuid);
      await lockOwnEntity(transaction, database.dialect, entityUuid, person.accountUuid);
      await storeLiveness(transaction, database.dialect, { saleUuid, entityUuid, provedAtMs });
    });
    return {};
  };
}
