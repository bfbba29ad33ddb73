import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { ServiceImpl } from "@connectrpc/connect";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { principalOf } from "../../../common/platform/rpc/identity/principal.ts";
import { checkSaleDefinition } from "../../../common/sale/definition/sale-definition.ts";
import type { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import type { SaleWithState } from "../base/domain/sale-with-state.ts";
import { getSale, readSaleWithState } from "../base/read-sale.ts";
import { saleMessage, tenancyOf } from "../base/sale-message.ts";
import type { ChangingContext, CommitmentsStore } from "../changing/commitments-store.ts";
import { insertSale, type NewSale } from "../changing/sale-writes.ts";
import { deleteBegunSale, ownerOfBegunSale } from "./begun-sales-store.ts";
import { newDefinition } from "./definition-request.ts";

export function createSaleRpc({ store, authority }: ChangingContext): ServiceImpl<typeof SaleService>["createSale"] {
  return async (request, call) => {
    const principal = principalOf(call);
    const uuid = request.saleUuid === "" ? randomUUID() : request.saleUuid.toLowerCase();
    const ownerAccountUuid = authority.ownerOf(principal, request.ownerAccountUuid.toLowerCase());
    const definition = await checkSaleDefinition(newDefinition(request));
    // Auth must not register an owner for a sale that is another's.
    const existing = await findOwnSale(store, uuid, ownerAccountUuid);
    // A member who was removed must not return by creating the sale again.
    if (existing === undefined || principal.kind === "operator") await authority.registerSale(uuid, ownerAccountUuid);
    const tenancy = tenancyOf(request.tenancy);
    return { sale: saleMessage(await createSale(store, { uuid, tenancy, definition, ownerAccountUuid })) };
  };
}

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

/**
 * Returns the sale that this owner has created before under the UUID.
 *
 * @throws ServiceError `already_exists` if the UUID is another owner's, who has created the sale or begun it; `unavailable`.
 */
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
