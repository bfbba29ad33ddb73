import type { ServiceImpl } from "@connectrpc/connect";
import { CHAIN_FAMILIES } from "../../../common/chains/base/chain-family.ts";
import { isWallet, readWallet, type Wallet } from "../../../common/chains/wallet.ts";
import { parseUuid } from "../../../common/platform/encoding/uuid.ts";
import { invalidArgument, ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { requireApplication } from "../authority/application-access.ts";
import type { EntitiesContext } from "../base/context.ts";
import { findSaleWallet } from "../wallets/sale-wallets-store.ts";
import { readLinkedEntities } from "../wallets/wallet-links-store.ts";
import { type AvailableEntity, availableEntities, saleEntityMessages } from "./available-entities.ts";

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

/** Returns the entity to which a wallet is bound in the sale; where it is bound to none, those to which it is linked. */
async function byWallet(
  { database }: EntitiesContext,
  saleUuid: string,
  available: readonly AvailableEntity[],
  text: string,
): Promise<readonly AvailableEntity[]> {
  const wallets = CHAIN_FAMILIES.map((kind) => readWallet(kind, text)).filter(isWallet);
  const [wallet] = wallets;
  if (wallet === undefined) return [];
  const owners = await ownersOf(wallet);
  return available.filter(({ entity }) => owners.includes(entity.uuid));

  async function ownersOf(wallet: Wallet): Promise<readonly string[]> {
    return database.read(async (query) => {
      const bound = await findSaleWallet(query, saleUuid, wallet);
      return bound === undefined ? readLinkedEntities(query, wallet) : [bound.entityUuid];
    });
  }
}
