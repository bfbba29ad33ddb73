import type { Wallet } from "../../../common/chains/wallet.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { ApplicationGrant } from "../authority/application-access.ts";
import type { EntitiesContext } from "../base/context.ts";
import type { Entity } from "../base/entity.ts";
import { readVisibleEntities } from "../entities/hidden-entities-store.ts";
import { ensureSaleEntity, findSaleEntity, type SaleEntity } from "../entities/sale-entities-store.ts";
import { findSaleWallet, type SaleOnChain } from "../wallets/sale-wallets-store.ts";
import { readLinkedEntities } from "../wallets/wallet-links-store.ts";

type Dependencies = Pick<EntitiesContext, "database" | "derivedKeys" | "clock">;

/** An entity that an application sees, with its IDs in the sale. */
export interface VisibleEntity {
  readonly stored: Entity;
  readonly entity: SaleEntity;
}

/** The entity of a wallet. */
export interface WalletsEntity extends VisibleEntity {
  /** Whether a binding or a proof ties the wallet to it. If not, the wallet may be anybody's, and nothing of it is to be said. */
  readonly isTied: boolean;
}

/**
 * Finds an entity by the ID that the application knows.
 *
 * @throws ServiceError `not_found` if the application sees no such entity
 */
export async function requireVisibleEntity(
  { database }: Dependencies,
  { saleUuid, accountUuid, clientUuid }: ApplicationGrant,
  publicUuid: string,
): Promise<VisibleEntity> {
  const match = await database.read(async (query) => {
    const entity = await findSaleEntity(query, saleUuid, publicUuid);
    if (entity === undefined) return undefined;
    const visible = await readVisibleEntities(query, accountUuid, clientUuid);
    const stored = visible.find(({ uuid }) => uuid === entity.entityUuid);
    return stored && { stored, entity };
  });
  if (match !== undefined) return match;
  throw noEntity(publicUuid);
}

/** The error for an entity that the application doesn't see. */
export function noEntity(publicUuid: string): ServiceError {
  return new ServiceError("not_found", `there is no entity ${publicUuid} in this sale`);
}

/**
 * Finds the entity of a wallet: that to which it is bound in the sale, else the earliest to which a proof that counts there links it,
 * else the only one that the application sees, unless the sale has the wallet of another one. Whether a wallet is linked to somebody
 * else's entity makes no difference, as it is nobody's business.
 *
 * @throws ServiceError `not_found` if the application sees none
 */
export async function requireEntityOfWallet(
  dependencies: Dependencies,
  { accountUuid, clientUuid, email }: ApplicationGrant,
  sale: SaleOnChain,
  wallet: Wallet,
): Promise<WalletsEntity> {
  const found = await dependencies.database.read(async (query) => {
    const visible = await readVisibleEntities(query, accountUuid, clientUuid);
    const binding = await findSaleWallet(query, sale, wallet);
    const bound = visible.find(({ uuid }) => uuid === binding?.entityUuid);
    if (bound !== undefined) return { stored: bound, isTied: true };
    const linked = await readLinkedEntities(query, wallet, sale.chainId);
    const own = visible.find(({ uuid }) => linked.includes(uuid));
    if (own !== undefined) return { stored: own, isTied: true };
    const [only, ...others] = visible;
    return only && binding === undefined && others.length === 0 ? { stored: only, isTied: false } : undefined;
  });
  if (found === undefined) throw new ServiceError("not_found", "the wallet belongs to no entity in this sale");
  return { ...found, entity: await ensureSaleEntity(dependencies, sale.saleUuid, found.stored, email) };
}
