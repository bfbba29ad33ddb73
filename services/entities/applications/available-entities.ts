import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { CHAIN_FAMILIES } from "../../../common/chains/base/chain-family.ts";
import { isWallet, readWallet, type Wallet } from "../../../common/chains/wallet.ts";
import { parseUuid } from "../../../common/platform/encoding/uuid.ts";
import { invalidArgument, ServiceError } from "../../../common/platform/errors/service-error.ts";
import {
  SaleEligibility as SaleEligibilityMessage,
  type SaleEntity as SaleEntityMessage,
  SaleEntitySchema,
} from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { type ApplicationGrant, requireApplication } from "../authority/application-access.ts";
import type { EntitiesContext } from "../base/context.ts";
import { type Entity, effectiveSetupState } from "../base/entity.ts";
import { readSaleFacts } from "../base/sale-facts.ts";
import { type SaleEligibility, saleEligibility } from "../eligibility/entity-eligibility.ts";
import { loadEligibility } from "../eligibility/load-facts.ts";
import { regionMessage, setupStateMessage, typeMessage } from "../entities/entity-message.ts";
import { regionOf } from "../entities/eu-members.ts";
import { readVisibleEntities } from "../entities/hidden-entities-store.ts";
import { ensureSaleEntity, type SaleEntity } from "../entities/sale-entities-store.ts";
import { findSaleWallet } from "../wallets/sale-wallets-store.ts";
import { readLinkedEntities } from "../wallets/wallet-links-store.ts";

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
  dependencies: Pick<EntitiesContext, "database" | "derivedKeys" | "clock">,
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

export function readAvailableEntity(
  dependencies: EntitiesContext,
): ServiceImpl<typeof EntityService>["readAvailableEntity"] {
  return async ({ access, saleUuid, entityUuid, wallet }) => {
    const needed = { scope: "read_entities", saleUuid } as const;
    const grant = await requireApplication(dependencies, access, needed);
    const available = await availableEntities(dependencies, grant);
    const named = entityUuid === "" ? available : byUuid(available, entityUuid);
    const matching = wallet === "" ? named : await byWallet(dependencies, grant.saleUuid, named, wallet);
    const [entity] = await saleEntityMessages(dependencies, grant, [oneOf(matching)]);
    return { entity };
  };
}

/** @throws ServiceError `not_found`, or `invalid_argument` for several */
function oneOf(matching: readonly AvailableEntity[]): AvailableEntity {
  const [first, second] = matching;
  if (first === undefined) throw new ServiceError("not_found", "there is no such entity");
  if (second === undefined) return first;
  const message = "must name one of the entities, as there are several";
  throw invalidArgument([{ field: "entity_uuid", rule: "entity_uuid.ambiguous", message }]);
}

function byUuid(available: readonly AvailableEntity[], entityUuid: string): readonly AvailableEntity[] {
  const requestedUuid = parseUuid(entityUuid);
  return available.filter(({ ids }) => ids.publicUuid === requestedUuid);
}

/** Returns the entity to which a wallet is bound in the sale; where it is bound to none, those to which a proof links it that counts there. */
async function byWallet(
  dependencies: EntitiesContext,
  saleUuid: string,
  available: readonly AvailableEntity[],
  text: string,
): Promise<readonly AvailableEntity[]> {
  const wallets = CHAIN_FAMILIES.map((kind) => readWallet(kind, text)).filter(isWallet);
  const [wallet] = wallets;
  if (wallet === undefined) return [];
  const sale = await readSaleFacts(dependencies, saleUuid);
  const owners = await ownersOf(wallet);
  return available.filter(({ entity }) => owners.includes(entity.uuid));

  async function ownersOf(wallet: Wallet): Promise<readonly string[]> {
    return dependencies.database.read(async (query) => {
      const bound = await findSaleWallet(query, sale, wallet);
      return bound === undefined ? readLinkedEntities(query, wallet, sale.chainId) : [bound.entityUuid];
    });
  }
}
