import { isDeepStrictEqual } from "node:util";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { SaleWithState } from "../base/domain/sale-with-state.ts";
import { getSale, readSaleWithState } from "../base/read-sale.ts";
import type { CommitmentsStore } from "../changing/commitments-store.ts";
import { insertSale, type NewSale } from "../changing/sale-writes.ts";
import { deleteBegunSale, ownerOfBegunSale } from "./store/begun-sales.ts";

/**
 * Creates a draft. If the same draft exists under the UUID and wasn't changed since, it is the answer: the call may be
 * repeated.
 *
 * @throws ServiceError `already_exists`, `unavailable`.
 */
export async function createSale({ database }: CommitmentsStore, sale: NewSale): Promise<SaleWithState> {
  try {
    return await database.write(async (transaction) => {
      await deleteBegunSale(transaction, sale.uuid);
      return insertSale(database.dialect, transaction, sale);
    });
  } catch (error) {
    if (!database.dialect.isDuplicateKey(error)) throw error;
    const existing = await database.snapshot((transaction) => readSaleWithState(transaction, sale.uuid));
    if (isUntouched(existing, sale)) return existing;
    throw alreadyExists(sale.uuid);
  }
}

/**
 * Whether this owner has created the sale before.
 *
 * @throws ServiceError `already_exists` if the UUID is another owner's, who has created the sale or begun it; `unavailable`.
 */
export async function isOwnSale(store: CommitmentsStore, uuid: string, ownerAccountUuid: string): Promise<boolean> {
  return (await findOwnSale(store, uuid, ownerAccountUuid)) !== undefined;
}

/**
 * Checks that `createSale` would create a sale, or answer with the one that it created before.
 *
 * @returns whether the sale exists
 * @throws ServiceError `already_exists`, `unavailable`.
 */
export async function requireCreatable(store: CommitmentsStore, sale: NewSale): Promise<boolean> {
  const existing = await findOwnSale(store, sale.uuid, sale.ownerAccountUuid);
  if (existing === undefined) return false;
  if (isUntouched(existing, sale)) return true;
  throw alreadyExists(sale.uuid);
}

async function findOwnSale(
  { database }: CommitmentsStore,
  uuid: string,
  ownerAccountUuid: string,
): Promise<SaleWithState | undefined> {
  const existing = await getSale(database, uuid).catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === "not_found") return undefined;
    throw error;
  });
  const owner =
    existing?.sale.ownerAccountUuid ?? (await database.snapshot((transaction) => ownerOfBegunSale(transaction, uuid)));
  if (owner === undefined || owner === ownerAccountUuid) return existing;
  throw alreadyExists(uuid);
}

function isUntouched({ sale, state }: SaleWithState, { tenancy, definition, ownerAccountUuid }: NewSale): boolean {
  return (
    state.status === "draft" &&
    sale.definitionVersion === 1n &&
    sale.tenancy === tenancy &&
    sale.ownerAccountUuid === ownerAccountUuid &&
    isDeepStrictEqual(sale.definition, definition)
  );
}

function alreadyExists(saleUuid: string): ServiceError {
  return new ServiceError("already_exists", `there is a sale ${saleUuid} already`);
}
