import { randomUUID } from "node:crypto";
import type { ServiceImpl } from "@connectrpc/connect";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { principalOf } from "../../../common/platform/rpc/identity/principal.ts";
import type { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import type { CommitmentsContext } from "../base/context.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";
import {
  type BegunSale,
  type BegunSaleKey,
  insertBegunSale,
  ownerOfBegunSale,
  readBegunSale,
  storeBegunEntries,
} from "./begun-sales-store.ts";

/** Returns the sale that a person has begun to set up; begins one if there is none. */
export function beginSaleRpc({ store, authority }: CommitmentsContext): ServiceImpl<typeof SaleService>["beginSale"] {
  return async (request, call) => {
    const principal = principalOf(call);
    const ownerAccountUuid = authority.ownerOf(principal, "");
    const key = { ownerAccountUuid, copyOf: request.copyOf.toLowerCase() };
    if (key.copyOf !== "") await authority.requireRole(principal, key.copyOf, "viewer");
    const begun = await store.database.snapshot((transaction) => readBegunSale(transaction, key));
    if (begun !== undefined) return begun;
    const saleUuid = randomUUID();
    await authority.checkRegistration(saleUuid, ownerAccountUuid);
    return begin(store.database, key, saleUuid);
  };
}

function begin(database: CommitmentsDatabase, key: BegunSaleKey, saleUuid: string): Promise<BegunSale> {
  return database.write(async (transaction) => {
    await insertBegunSale(database.dialect, transaction, key, saleUuid);
    return (await readBegunSale(transaction, key)) ?? { saleUuid, entries: "" };
  });
}

/** Stores what a person has entered for a sale that this person has begun. */
export function keepBegunSaleRpc({
  store,
  authority,
}: CommitmentsContext): ServiceImpl<typeof SaleService>["keepBegunSale"] {
  return async ({ saleUuid, entries }, call) => {
    const sale = saleUuid.toLowerCase();
    const ownerAccountUuid = authority.ownerOf(principalOf(call), "");
    await store.database.write(async (transaction) => {
      const owner = await ownerOfBegunSale(transaction, sale);
      if (owner !== ownerAccountUuid) throw new ServiceError("not_found", `the sale ${sale} wasn't begun`);
      await storeBegunEntries(transaction, sale, entries);
    });
    return {};
  };
}
