import { randomUUID } from "node:crypto";
import type { ServiceImpl } from "@connectrpc/connect";
import type { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { ServiceError } from "../../shared/errors/service-error.ts";
import { principalOf } from "../../shared/rpc/identity/principal.ts";
import { checkSaleDefinition } from "../domain/sale/sale-definition.ts";
import { requiredDefinition, saleMessage, tenancyOf } from "../messages/sale-message.ts";
import { getSale } from "../store/read/read-sale.ts";
import type { CommitmentsDatabase } from "../store/sql/schema.ts";
import { createSale as createStored } from "../use-cases/sales.ts";
import type { Dependencies } from "./dependencies.ts";

export function createSale({ database, authority }: Dependencies): ServiceImpl<typeof SaleService>["createSale"] {
  return async (request, context) => {
    const principal = principalOf(context);
    const uuid = request.saleUuid === "" ? randomUUID() : request.saleUuid.toLowerCase();
    const ownerAccountUuid = authority.ownerOf(principal, request.ownerAccountUuid.toLowerCase());
    const definition = await checkSaleDefinition(requiredDefinition(request));
    const isThere = await isOwnSale(database, uuid, ownerAccountUuid);
    // Who has lost their part in a sale doesn't get it back by creating it again.
    if (!isThere || principal.kind === "operator") await authority.registerSale(uuid, ownerAccountUuid);
    const tenancy = tenancyOf(request.tenancy);
    return { sale: saleMessage(await createStored(database, { uuid, tenancy, definition, ownerAccountUuid })) };
  };
}

/** Whether there is the sale already. Auth must not hear of an owner for a sale that is another's. */
async function isOwnSale(database: CommitmentsDatabase, uuid: string, ownerAccountUuid: string): Promise<boolean> {
  const existing = await getSale(database, uuid).catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === "not_found") return undefined;
    throw error;
  });
  if (existing === undefined) return false;
  if (existing.sale.ownerAccountUuid === ownerAccountUuid) return true;
  throw new ServiceError("already_exists", `there is a sale ${uuid} already`);
}
