import type { Client } from "@connectrpc/connect";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";

/** The methods of the commitments service that the indexer calls. */
export interface CommitmentsClient {
  readonly sales: Pick<Client<typeof SaleService>, "getSale" | "listSales">;
  readonly commitments: Pick<
    Client<typeof CommitmentService>,
    | "acquireSaleLease"
    | "acquireSaleLeases"
    | "applyCommitments"
    | "getCommitmentRecords"
    | "listChangedSales"
    | "listDigests"
    | "renewSaleLeases"
    | "reportSourceStatus"
    | "reportSourceStatuses"
  >;
}
