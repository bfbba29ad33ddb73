import type { ConnectRouter, HandlerContext } from "@connectrpc/connect";
import { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { WebhookService } from "../../../proto/gen/tidemark/commitments/v1/webhook_service_pb.ts";
import { acquireSaleLease } from "./acquire-sale-lease.ts";
import { applyCommitments } from "./apply-commitments.ts";
import { beginSale } from "./begin-sale.ts";
import { checkSale } from "./check-sale.ts";
import { createSale } from "./create-sale.ts";
import { deleteDraft } from "./delete-draft.ts";
import type { Dependencies } from "./dependencies.ts";
import { exportCommitments } from "./export-commitments.ts";
import { getCommitmentData } from "./get-commitment-data.ts";
import { getCommitmentRecords } from "./get-commitment-records.ts";
import { getHistory } from "./get-history.ts";
import { getPosition } from "./get-position.ts";
import { getPriceLevels } from "./get-price-levels.ts";
import { getRevisions } from "./get-revisions.ts";
import { getSale } from "./get-sale.ts";
import { getSaleLogo } from "./get-sale-logo.ts";
import { keepBegunSale } from "./keep-begun-sale.ts";
import { listAllocations } from "./list-allocations.ts";
import { listCommitments } from "./list-commitments.ts";
import { listDigests } from "./list-digests.ts";
import { listSaleOverviews } from "./list-sale-overviews.ts";
import { listSales } from "./list-sales.ts";
import { openSale } from "./open-sale.ts";
import { previewSale } from "./preview-sale.ts";
import { renewGeneration } from "./renew-generation.ts";
import { replayOutbox } from "./replay-outbox.ts";
import { reportSourceStatus } from "./report-source-status.ts";
import { requestSweep } from "./request-sweep.ts";
import { setAllocations } from "./set-allocations.ts";
import { setSaleLogo } from "./set-sale-logo.ts";
import { settleSale } from "./settle-sale.ts";
import { updateSale } from "./update-sale.ts";
import { watchCommitmentData } from "./watch-commitment-data.ts";
import { deliveryRpcs } from "./webhooks/delivery-rpcs.ts";
import { endpointRpcs } from "./webhooks/endpoint-rpcs.ts";
import { withdrawSale } from "./withdraw-sale.ts";

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
