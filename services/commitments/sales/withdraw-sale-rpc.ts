import type { ServiceImpl } from "@connectrpc/connect";
import { principalOf } from "../../../common/platform/rpc/identity/principal.ts";
import type { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { withdrawn } from "../base/domain/sale-state.ts";
import { requireConfirmed, requireWithdrawable } from "../base/domain/sale-transitions.ts";
import type { SaleWithState } from "../base/domain/sale-with-state.ts";
import { readSaleWithState } from "../base/read-sale.ts";
import { saleMessage } from "../base/sale-message.ts";
import type { ChangingContext, CommitmentsStore } from "../changing/commitments-store.ts";
import { unfreezeBody } from "../changing/frozen-body.ts";
import { deleteWebhooks } from "../webhooks/endpoint-rows.ts";

export function withdrawSaleRpc({
  store,
  authority,
  permits,
}: ChangingContext): ServiceImpl<typeof SaleService>["withdrawSale"] {
  return async ({ saleUuid: asked, confirmName }, call) => {
    const principal = principalOf(call);
    const saleUuid = asked.toLowerCase();
    await authority.requireRole(principal, saleUuid, "owner");
    const { sale, state } = await store.database.snapshot((transaction) => readSaleWithState(transaction, saleUuid));
    requireWithdrawable(state);
    requireConfirmed(sale, "confirm_name", confirmName);
    await authority.admitRemoval(principal, { saleUuid, saleName: sale.definition.name, removal: "withdrawal" });
    await permits.stopPermits(saleUuid);
    const removed = await withdraw(store, saleUuid);
    await authority.completeRemoval(saleUuid);
    await permits.eraseSale(saleUuid);
    return { sale: saleMessage(removed) };
  };
}

/** Withdraws an open or settled sale for good. Its rows stay, and nobody can read them; its webhooks go. */
function withdraw({ changes }: CommitmentsStore, saleUuid: string): Promise<SaleWithState> {
  return changes.run(saleUuid, async (changing) => {
    const { transaction, sale, state: before } = changing;
    requireWithdrawable(before);
    await deleteWebhooks(transaction, saleUuid);
    await unfreezeBody(changing);
    return { state: withdrawn(before), update: {}, result: (state) => ({ sale, state }) };
  });
}
