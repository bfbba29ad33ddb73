import type { ServiceImpl } from "@connectrpc/connect";
import type { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { getSale as getStored } from "../store/read-sale.ts";
import type { Dependencies } from "./dependencies.ts";
import { saleMessage } from "./sale-message.ts";

export function getSale({ database }: Dependencies): ServiceImpl<typeof SaleService>["getSale"] {
  return async ({ saleUuid }) => ({ sale: saleMessage(await getStored(database, saleUuid.toLowerCase())) });
}
