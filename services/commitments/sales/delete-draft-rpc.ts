import type { ServiceImpl } from "@connectrpc/connect";
import { principalOf } from "../../../common/platform/rpc/identity/principal.ts";
import type { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import type { CommitmentsContext } from "../base/context.ts";
import { requireConfirmed, requireDraft } from "../base/domain/sale-transitions.ts";
import { readSaleWithState } from "../base/read-sale.ts";
import { deleteSale } from "./deleted-rows-store.ts";

export function deleteDraftRpc({
  store,
  authority,
  permits,
}: CommitmentsContext): ServiceImpl<typeof SaleService>["deleteDraft"] {
  return async ({ saleUuid: asked, confirmName }, call) => {
    const principal = principalOf(call);
    const saleUuid = asked.toLowerCase();
    await authority.requireRole(principal, saleUuid, "owner");
    const { sale, state } = await store.database.snapshot((transaction) => readSaleWithState(transaction, saleUuid));
    requireDraft(state);
    requireConfirmed(sale, "confirm_name", confirmName);
    await authority.admitRemoval(principal, { saleUuid, saleName: sale.definition.name, removal: "deletion" });
    // The draft has no permits: this is how the entities service notices that it may be gone, should all else fail.
    await permits.stopPermits(saleUuid);
    await deleteSale(store.database, saleUuid, requireDraft);
    await authority.completeRemoval(saleUuid);
    await permits.eraseSale(saleUuid);
    return {};
  };
}
