import type { ServiceImpl } from "@connectrpc/connect";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { actorOf } from "../../../common/platform/rpc/identity/actor.ts";
import { principalOf } from "../../../common/platform/rpc/identity/principal.ts";
import { pageStart, readPage, tokenOf } from "../../../common/platform/rpc/server/page-token.ts";
import type { SaleDefinition } from "../../../common/sale/definition/sale.ts";
import { presentCommitmentData, type SaleSnapshot } from "../../../common/sale/figures/commitment-data.ts";
import { statusOf } from "../../../common/sale/state/status.ts";
import type { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { commitmentDataMessage } from "../base/commitment-message.ts";
import type { CommitmentsContext } from "../base/context.ts";
import { getSale } from "../base/read-sale.ts";
import { saleMessage } from "../base/sale-message.ts";
import { saleSummaryMessage } from "../reading/sale-summary-message.ts";
import { listSales } from "./list-sales-store.ts";

const UUID_HEX_DIGITS = 32;

export function getSaleRpc({ store, authority }: CommitmentsContext): ServiceImpl<typeof SaleService>["getSale"] {
  return async (request, call) => {
    const saleUuid = request.saleUuid.toLowerCase();
    const actor = actorOf(call);
    if (actor !== undefined) await authority.requireRole({ kind: "person", ...actor }, saleUuid, "viewer");
    return { sale: saleMessage(await getSale(store.database, saleUuid)) };
  };
}

export function listSalesRpc({ store }: CommitmentsContext): ServiceImpl<typeof SaleService>["listSales"] {
  return async (request) => {
    const status = statusOf(request.status);
    const after = pageStart(request.pageToken, UUID_HEX_DIGITS);
    const { items, nextPageToken } = await readPage(
      request.pageSize,
      (limit) => listSales(store.database, { after, limit, ...(status === undefined ? {} : { status }) }),
      ({ sale }) => tokenOf(sale.uuid),
    );
    return { sales: items.map(saleMessage), nextPageToken };
  };
}

/** Shows a draft as its public page would, if it opened now. */
export function previewSaleRpc({
  store,
  authority,
}: CommitmentsContext): ServiceImpl<typeof SaleService>["previewSale"] {
  return async (request, call) => {
    const saleUuid = request.saleUuid.toLowerCase();
    await authority.requireRole(principalOf(call), saleUuid, "viewer");
    const { sale, state } = await getSale(store.database, saleUuid);
    if (state.status !== "draft") throw new ServiceError("failed_precondition", "the sale is no longer a draft");
    const data = presentCommitmentData(sale.definition, emptySnapshot(sale.definition), () => ({}));
    return { data: commitmentDataMessage(data), sale: saleSummaryMessage(sale, { ...state, status: "open" }) };
  };
}

/** Returns what the public would see of a sale to which nobody has committed. Where nothing is bid, an auction clears at its floor. */
function emptySnapshot({ pricing }: Pick<SaleDefinition, "pricing">): SaleSnapshot {
  const clearing = pricing.kind === "auction" ? { clearingTick: pricing.floorTicks } : {};
  return { latest: [], total: 0n, count: 0n, ...clearing };
}
