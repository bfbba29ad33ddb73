import type { ConnectRouter, HandlerContext } from "@connectrpc/connect";
import { CommitmentService } from "../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleService } from "../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { WebhookService } from "../../proto/gen/tidemark/commitments/v1/webhook_service_pb.ts";
import { listAllocationsRpc } from "./allocations/list-allocations-rpc.ts";
import { listWalletAllocationsRpc } from "./allocations/list-wallet-allocations-rpc.ts";
import { setAllocationsRpc } from "./allocations/set-allocations-rpc.ts";
import { acquireSaleLeaseRpc } from "./applying/acquire-sale-lease-rpc.ts";
import { acquireSaleLeasesRpc } from "./applying/acquire-sale-leases-rpc.ts";
import { applyCommitmentsRpc } from "./applying/apply-commitments-rpc.ts";
import { renewSaleLeasesRpc } from "./applying/renew-sale-leases-rpc.ts";
import { reportSourceStatusesRpc, reportSourceStatusRpc } from "./applying/report-source-status-rpc.ts";
import { requestSweepRpc } from "./applying/request-sweep-rpc.ts";
import type { CommitmentsStore } from "./changing/commitments-store.ts";
import { replayOutboxRpc } from "./outbox/replay-outbox-rpc.ts";
import { getBidOutcomesRpc } from "./positions/get-bid-outcomes-rpc.ts";
import { getPositionRpc, type PositionContext } from "./positions/get-position-rpc.ts";
import { exportCommitmentsRpc } from "./reading/export-commitments-rpc.ts";
import { getCommitmentDataRpc } from "./reading/get-commitment-data-rpc.ts";
import { getHistoryRpc } from "./reading/get-history-rpc.ts";
import { getPriceLevelsRpc } from "./reading/get-price-levels-rpc.ts";
import { getRevisionsRpc } from "./reading/get-revisions-rpc.ts";
import { listChangedSalesRpc } from "./reading/list-changed-sales-rpc.ts";
import { getCommitmentRecordsRpc, listCommitmentsRpc, listDigestsRpc } from "./reading/list-commitments-rpc.ts";
import { listPublicSalesRpc } from "./reading/list-public-sales-rpc.ts";
import { type WatchContext, watchCommitmentDataRpc } from "./reading/watch-commitment-data-rpc.ts";
import { beginSaleRpc, keepBegunSaleRpc } from "./sales/begun-sales-rpc.ts";
import { checkSaleRpc } from "./sales/check-sale-rpc.ts";
import { createSaleRpc } from "./sales/create-sale-rpc.ts";
import { deleteDraftRpc } from "./sales/delete-draft-rpc.ts";
import { openSaleRpc } from "./sales/open-sale-rpc.ts";
import { getSaleRpc, listSalesRpc, previewSaleRpc } from "./sales/read-sales-rpc.ts";
import { renewGenerationRpc } from "./sales/renew-generation-rpc.ts";
import { getSaleLogoRpc, setSaleLogoRpc } from "./sales/sale-logo-rpc.ts";
import { listSaleOverviewsRpc } from "./sales/sale-overviews-rpc.ts";
import { settleSaleRpc } from "./sales/settle-sale-rpc.ts";
import { updateSaleRpc } from "./sales/update-sale-rpc.ts";
import { withdrawSaleRpc } from "./sales/withdraw-sale-rpc.ts";
import { deliveryRpcs } from "./webhooks/deliveries-rpc.ts";
import { endpointRpcs } from "./webhooks/endpoints-rpc.ts";
import type { WebhooksContext } from "./webhooks/webhooks.ts";

/** The objects that all handlers use together. */
export interface ServiceContext extends WatchContext, WebhooksContext, PositionContext {
  readonly store: CommitmentsStore;
}

/** The RPCs of the commitments service. */
export function commitmentsRoutes(context: ServiceContext): (router: ConnectRouter) => void {
  const { wakeRelay } = context;
  return (router) => {
    router.service(SaleService, {
      createSale: createSaleRpc(context),
      getSale: getSaleRpc(context),
      listSales: listSalesRpc(context),
      updateSale: updateSaleRpc(context),
      openSale: openSaleRpc(context),
      settleSale: settleSaleRpc(context),
      checkSale: checkSaleRpc(context),
      beginSale: beginSaleRpc(context),
      keepBegunSale: keepBegunSaleRpc(context),
      withdrawSale: withdrawSaleRpc(context),
      deleteDraft: deleteDraftRpc(context),
      setSaleLogo: setSaleLogoRpc(context),
      listSaleOverviews: listSaleOverviewsRpc(context),
      previewSale: previewSaleRpc(context),
    });
    router.service(CommitmentService, {
      applyCommitments: applyCommitmentsRpc(context),
      acquireSaleLease: acquireSaleLeaseRpc(context),
      acquireSaleLeases: acquireSaleLeasesRpc(context),
      renewSaleLeases: renewSaleLeasesRpc(context),
      getCommitmentData: getCommitmentDataRpc(context),
      getRevisions: getRevisionsRpc(context),
      listChangedSales: listChangedSalesRpc(context),
      listPublicSales: listPublicSalesRpc(context),
      listCommitments: listCommitmentsRpc(context),
      exportCommitments: exportCommitmentsRpc(context),
      listDigests: listDigestsRpc(context),
      getCommitmentRecords: getCommitmentRecordsRpc(context),
      reportSourceStatus: reportSourceStatusRpc(context),
      reportSourceStatuses: reportSourceStatusesRpc(context),
      requestSweep: requestSweepRpc(context),
      getPriceLevels: getPriceLevelsRpc(context),
      getHistory: getHistoryRpc(context),
      getPosition: getPositionRpc(context),
      getBidOutcomes: getBidOutcomesRpc(context),
      getSaleLogo: getSaleLogoRpc(context),
      watchCommitmentData: watchCommitmentDataRpc(context),
      replayOutbox: followedBy(wakeRelay, replayOutboxRpc(context)),
      renewGeneration: renewGenerationRpc(context),
      setAllocations: setAllocationsRpc(context),
      listAllocations: listAllocationsRpc(context),
      listWalletAllocations: listWalletAllocationsRpc(context),
    });
    router.service(WebhookService, { ...endpointRpcs(context), ...deliveryRpcs(context) });
  };
}

/** Makes a handler that calls `then` after it has succeeded. */
function followedBy<Request, Response>(
  then: () => void,
  handler: (request: Request, call: HandlerContext) => Response | Promise<Response>,
) {
  return async (request: Request, call: HandlerContext): Promise<Response> => {
    const response = await handler(request, call);
    then();
    return response;
  };
}
