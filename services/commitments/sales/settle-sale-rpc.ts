import type { ServiceImpl } from "@connectrpc/connect";
import { principalOf } from "../../../common/platform/rpc/identity/principal.ts";
import type { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { type SaleState, withoutChangedPosition } from "../base/domain/sale-state.ts";
import { requireConfirmed, requireSettleable } from "../base/domain/sale-transitions.ts";
import type { SaleWithState } from "../base/domain/sale-with-state.ts";
import { readSaleWithState } from "../base/read-sale.ts";
import { saleMessage } from "../base/sale-message.ts";
import type { ChangingContext, CommitmentsStore } from "../changing/commitments-store.ts";

/** Settles an open sale that no contract settles. */
export function settleSaleRpc({
  store,
  authority,
  permits,
}: ChangingContext): ServiceImpl<typeof SaleService>["settleSale"] {
  return async (request, call) => {
    const saleUuid = request.saleUuid.toLowerCase();
    const principal = principalOf(call);
    await authority.requireRole(principal, saleUuid, "owner");
    const { sale, state } = await store.database.snapshot((transaction) => readSaleWithState(transaction, saleUuid));
    requireSettleable(state);
    requireConfirmed(sale, "confirm_name", request.confirmName);
    await authority.recordChange(principal, saleUuid, "settlement");
    await permits.stopPermits(saleUuid);
    return { sale: saleMessage(await settle(store, saleUuid)) };
  };
}

function settle({ changes }: CommitmentsStore, saleUuid: string): Promise<SaleWithState> {
  return changes.run(saleUuid, async ({ sale, state: before }) => {
    requireSettleable(before);
    const open = withoutChangedPosition(before);
    const settled: SaleState = { ...open, status: "settled", settleCount: before.settleCount + 1n };
    return { state: settled, update: {}, result: (state) => ({ sale, state }) };
  });
}
