import type { ServiceImpl } from "@connectrpc/connect";
import { ServiceError } from "../../../../common/platform/errors/service-error.ts";
import { principalOf } from "../../../../common/platform/rpc/identity/principal.ts";
import { presentCommitmentData } from "../../../../common/sale/figures/commitment-data.ts";
import type { SaleService } from "../../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { commitmentDataMessage } from "../../base/commitment-message.ts";
import type { Dependencies } from "../../base/dependencies.ts";
import { getSale as getStored } from "../../base/read-sale.ts";
import { emptySnapshot } from "../../reading/empty-snapshot.ts";
import { saleSummaryMessage } from "../../reading/sale-summary-message.ts";

export function previewSale({ store, authority }: Dependencies): ServiceImpl<typeof SaleService>["previewSale"] {
  return async (request, context) => {
    const saleUuid = request.saleUuid.toLowerCase();
    await authority.requireRole(principalOf(context), saleUuid, "viewer");
    const { sale, state } = await getStored(store.database, saleUuid);
    if (state.status !== "draft") throw new ServiceError("failed_precondition", "the sale is no longer a draft");
    const data = presentCommitmentData(sale.definition, emptySnapshot(sale.definition), () => ({}));
    return { data: commitmentDataMessage(data), sale: saleSummaryMessage(sale, { ...state, status: "open" }) };
  };
}
