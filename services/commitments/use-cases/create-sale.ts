import { isDeepStrictEqual } from "node:util";
import { ServiceError } from "../../shared/errors/service-error.ts";
import type { SaleWithState } from "../domain/sale/sale-with-state.ts";
import { insertSale, type NewSale } from "../store/apply/sale-writes.ts";
import { getSale, readSaleWithState } from "../store/read/read-sale.ts";
import type { CommitmentsStore } from "./commitments-store.ts";

/**
 * Creates a draft. If the same draft exists under the UUID and wasn't changed since, it is the answer: the call may be
 * repeated.
 *
 * @throws ServiceError `already_exists`, `unavailable`.
 */
export async function createSale({ database }: CommitmentsStore, sale: NewSale): Promise<SaleWithState> {
  try {
    return await database.write((transaction) => insertSale(database.dialect, transaction, sale));
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
 * @throws ServiceError `already_exists` if the UUID is another owner's, `unavailable`.
 */
export async function isOwnSale(store: CommitmentsStore, uuid: string, ownerAccountUuid: string): Promise<boolean> {
  const existing = await getSale(store.database, uuid).catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === "not_found") return undefined;
    throw error;
  });
  if (existing === undefined) return false;
  if (existing.sale.ownerAccountUuid === ownerAccountUuid) return true;
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
