import { create } from "@bufbuild/protobuf";
import {
  SaleEligibility as SaleEligibilityMessage,
  type SaleEntity as SaleEntityMessage,
  SaleEntitySchema,
} from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { ApplicationGrant } from "../authority/application-access.ts";
import type { EntitiesContext } from "../base/context.ts";
import { type Entity, effectiveSetupState } from "../base/entity.ts";
import { readSaleFacts } from "../base/sale-facts.ts";
import { type SaleEligibility, saleEligibility } from "../eligibility/entity-eligibility.ts";
import { loadEligibility } from "../eligibility/load-facts.ts";
import { regionMessage, setupStateMessage, typeMessage } from "../entities/entity-message.ts";
import { readVisibleEntities } from "../entities/hidden-entities-store.ts";
import { regionOf } from "../entities/region.ts";
import { ensureSaleEntity, type SaleEntity } from "../entities/sale-entities-store.ts";

/** An entity that an application sees, with its IDs in the application's sale. */
export interface AvailableEntity {
  readonly entity: Entity;
  readonly ids: SaleEntity;
}

const ELIGIBILITIES: Readonly<Record<SaleEligibility, SaleEligibilityMessage>> = {
  eligible: SaleEligibilityMessage.ELIGIBLE,
  not_eligible: SaleEligibilityMessage.NOT_ELIGIBLE,
  unknown_setup_incomplete: SaleEligibilityMessage.UNKNOWN_SETUP_INCOMPLETE,
};

/** Returns the entities that an application sees, the earliest first. IDs are made for those that have none in the sale. */
export async function availableEntities(
  dependencies: Pick<EntitiesContext, "database" | "derivedKeys">,
  { accountUuid, clientUuid, saleUuid, email }: ApplicationGrant,
): Promise<readonly AvailableEntity[]> {
  const { database } = dependencies;
  const entities = await database.read((query) => readVisibleEntities(query, accountUuid, clientUuid));
  const available: AvailableEntity[] = [];
  for (const entity of entities) {
    available.push({ entity, ids: await ensureSaleEntity(dependencies, saleUuid, entity, email) });
  }
  return available;
}

/** Describes entities to an application. */
export async function saleEntityMessages(
  dependencies: EntitiesContext,
  grant: ApplicationGrant,
  available: readonly AvailableEntity[],
): Promise<SaleEntityMessage[]> {
  if (available.length === 0) return [];
  const sale = await readSaleFacts(dependencies, grant.saleUuid);
  const participants = available.map(({ ids }) => ({ sale, entity: ids, email: grant.email }));
  const loaded = await dependencies.database.read((query) => loadEligibility(dependencies, query, participants));
  return available.map((each, index) => {
    const facts = loaded[index];
    // An entity that was deleted meanwhile isn't eligible.
    const eligibility = facts === undefined ? "not_eligible" : saleEligibility(facts);
    return saleEntityMessage(each, eligibility, dependencies.clock());
  });
}

function saleEntityMessage(
  { entity, ids }: AvailableEntity,
  eligibility: SaleEligibility,
  nowMs: bigint,
): SaleEntityMessage {
  return create(SaleEntitySchema, {
    entityUuid: ids.publicUuid,
    saleSpecificEntityId: Uint8Array.from(ids.saleSpecificId),
    label: entity.label,
    type: typeMessage(entity.type),
    setupState: setupStateMessage(effectiveSetupState(entity, nowMs)),
    eligibility: ELIGIBILITIES[eligibility],
    region: regionMessage(regionOf(entity.country)),
  });
}
