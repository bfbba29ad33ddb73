import type { ConnectRouter, HandlerContext } from "@connectrpc/connect";
import { CommitmentService } from "../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleService } from "../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { WebhookService } from "../../proto/gen/tidemark/commitments/v1/webhook_service_pb.ts";
import { listAllocations } from "./allocations/rpc/list-allocations.ts";
import { setAllocations } from "./allocations/rpc/set-allocations.ts";
import { acquireSaleLease } from "./applying/rpc/acquire-sale-lease.ts";
import { applyCommitments } from "./applying/rpc/apply-commitments.ts";
import { reportSourceStatus } from "./applying/rpc/report-source-status.ts";
import { requestSweep } from "./applying/rpc/request-sweep.ts";
import type { Dependencies } from "./base/dependencies.ts";
import { replayOutbox } from "./outbox/rpc/replay-outbox.ts";
import { getPosition } from "./positions/rpc/get-position.ts";
import { exportCommitments } from "./reading/rpc/export-commitments.ts";
import { getCommitmentData } from "./reading/rpc/get-commitment-data.ts";
import { getCommitmentRecords } from "./reading/rpc/get-commitment-records.ts";
import { getHistory } from "./reading/rpc/get-history.ts";
import { getPriceLevels } from "./reading/rpc/get-price-levels.ts";
import { getRevisions } from "./reading/rpc/get-revisions.ts";
import { listCommitments } from "./reading/rpc/list-commitments.ts";
import { listDigests } from "./reading/rpc/list-digests.ts";
import { watchCommitmentData } from "./reading/rpc/watch-commitment-data.ts";
import { beginSale } from "./sales/rpc/begin-sale.ts";
import { checkSale } from "./sales/rpc/check-sale.ts";
import { createSale } from "./sales/rpc/create-sale.ts";
import { deleteDraft } from "./sales/rpc/delete-draft.ts";
import { getSale } from "./sales/rpc/get-sale.ts";
import { getSaleLogo } from "./sales/rpc/get-sale-logo.ts";
import { keepBegunSale } from "./sales/rpc/keep-begun-sale.ts";
import { listSaleOverviews } from "./sales/rpc/list-sale-overviews.ts";
import { listSales } from "./sales/rpc/list-sales.ts";
import { openSale } from "./sales/rpc/open-sale.ts";
import { previewSale } from "./sales/rpc/preview-sale.ts";
import { renewGeneration } from "./sales/rpc/renew-generation.ts";
import { setSaleLogo } from "./sales/rpc/set-sale-logo.ts";
import { settleSale } from "./sales/rpc/settle-sale.ts";
import { updateSale } from "./sales/rpc/update-sale.ts";
import { withdrawSale } from "./sales/rpc/withdraw-sale.ts";
import { deliveryRpcs } from "./webhooks/rpc/delivery-rpcs.ts";
import { endpointRpcs } from "./webhooks/rpc/endpoint-rpcs.ts";

/** The RPCs of the commitments service. */
export function commitmentsRoutes(dependencies: Dependencies): (router: ConnectRouter) => void {
  const { wakeRelay } = dependencies;
  return (router) => {
    router.service(SaleService, {
      createSale: createSale(dependencies),
      getSale: getSale(dependencies),
      listSales: listSales(dependencies),
      updateSale: updateSale(dependencies),
      openSale: openSale(dependencies),
      settleSale: settleSale(dependencies),
      checkSale: checkSale(dependencies),
      beginSale: beginSale(dependencies),
      keepBegunSale: keepBegunSale(dependencies),
      withdrawSale: withdrawSale(dependencies),
      deleteDraft: deleteDraft(dependencies),
      setSaleLogo: setSaleLogo(dependencies),
      listSaleOverviews: listSaleOverviews(dependencies),
      previewSale: previewSale(dependencies),
    });
    router.service(CommitmentService, {
      applyCommitments: applyCommitments(dependencies),
      acquireSaleLease: acquireSaleLease(dependencies),
      getCommitmentData: getCommitmentData(dependencies),
      getRevisions: getRevisions(dependencies),
      listCommitments: listCommitments(dependencies),
      exportCommitments: exportCommitments(dependencies),
      listDigests: listDigests(dependencies),
      getCommitmentRecords: getCommitmentRecords(dependencies),
      reportSourceStatus: reportSourceStatus(dependencies),
      requestSweep: requestSweep(dependencies),
      getPriceLevels: getPriceLevels(dependencies),
      getHistory: getHistory(dependencies),
      getPosition: getPosition(dependencies),
      getSaleLogo: getSaleLogo(dependencies),
      watchCommitmentData: watchCommitmentData(dependencies),
      replayOutbox: followedBy(wakeRelay, replayOutbox(dependencies)),
      renewGeneration: renewGeneration(dependencies),
      setAllocations: setAllocations(dependencies),
      listAllocations: listAllocations(dependencies),
    });
    router.service(WebhookService, { ...endpointRpcs(dependencies), ...deliveryRpcs(dependencies) });
  };
}

/** Makes a handler that calls `then` after it has succeeded. */
function followedBy<Request, Response>(
  then: () => void,
  handler: (request: Request, context: HandlerContext) => Response | Promise<Response>,
) {
  return async (request: Request, context: HandlerContext): Promise<Response> => {
    const response = await handler(request, context);
    then();
    return response;
  };
}
