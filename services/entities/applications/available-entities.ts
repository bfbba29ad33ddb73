import { create } from "@bufbuild/protobuf";
import {
  SaleEligibility as SaleEligibilityMessage,
  type SaleEntity as SaleEntityMessage,
  SaleEntitySchema,
} from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { ApplicationGrant } from "../access/application-access.ts";
import { readSaleFacts, type SaleFacts } from "../access/sale-facts.ts";
import { type SaleEligibility, saleEligibility } from "../eligibility/entity-eligibility.ts";
import { isAccountClosed } from "../entities/closed-accounts-store.ts";
import { type Entity, effectiveSetupState } from "../entities/entity.ts";
import { regionMessage, setupStateMessage, typeMessage } from "../entities/entity-message.ts";
import { regionOf } from "../entities/region.ts";
import { ensureSaleEntity, type SaleEntity } from "../entities/sale-entities-store.ts";
import { readVisibleEntities } from "../entities/visible-entities.ts";
import { matchMembers } from "../members/match-members.ts";
import { isFrozen } from "../rules/freezes-store.ts";
import { readRules } from "../rules/rules-store.ts";
import { readSaleWallets } from "../wallets/sale-wallets-store.ts";
import { walletKey } from "../wallets/wallet.ts";
import { readWalletLinks } from "../wallets/wallet-links-store.ts";
import type { ApplicationDependencies } from "./dependencies.ts";

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
  dependencies: Pick<ApplicationDependencies, "database" | "derivedKeys">,
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
  dependencies: ApplicationDependencies,
  grant: ApplicationGrant,
  available: readonly AvailableEntity[],
): Promise<SaleEntityMessage[]> {
  if (available.length === 0) return [];
  const sale = await readSaleFacts(dependencies, grant.saleUuid);
  const messages: SaleEntityMessage[] = [];
  for (const each of available) {
    const eligibility = await eligibilityOf(dependencies, grant, sale, each);
    messages.push(saleEntityMessage(each, eligibility, dependencies.clock()));
  }
  return messages;
}

async function eligibilityOf(
  { database, derivedKeys, clock }: ApplicationDependencies,
  { accountUuid, email, saleUuid }: ApplicationGrant,
  sale: SaleFacts,
  { entity, ids: { saleSpecificId } }: AvailableEntity,
): Promise<SaleEligibility> {
  const isComplete = effectiveSetupState(entity, clock()) === "complete";
  return database.read(async (query) => {
    const links = (await readWalletLinks(query, entity.uuid)).map(({ wallet }) => ({ wallet, isProved: true }));
    const bound = await readSaleWallets(query, saleUuid, entity.uuid);
    const byKey = new Map([...bound, ...links].map((each) => [walletKey(each.wallet), each]));
    const wallets = [...byKey.values()].map(({ wallet, isProved }) => ({ bytes: wallet.bytes, proved: isProved }));
    const candidate = { entityUuid: entity.uuid, saleSpecificId, email, wallets };
    return saleEligibility({
      sale,
      rules: (await readRules(query, saleUuid)).rules,
      entity: { type: entity.type, country: entity.country, isComplete, provider: entity.provider },
      accountClosed: await isAccountClosed(query, accountUuid),
      frozen: await isFrozen(query, saleUuid, saleSpecificId),
      members: await matchMembers(query, derivedKeys, saleUuid, candidate),
    });
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
