import type { AllowedCallers } from "../../common/platform/rpc/identity/allowed-callers.ts";
import { STATUS_CALLERS } from "../../common/platform/rpc/server/status.ts";
import { CommitmentService } from "../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleService } from "../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { WebhookService } from "../../proto/gen/tidemark/commitments/v1/webhook_service_pb.ts";
import { SecretService } from "../../proto/gen/tidemark/secrets/v1/secret_service_pb.ts";

/** The gateway reads for everybody. Each process may call what it calls, and nothing else (`scripts/called-rpcs.test.ts`). */
const READERS = ["gateway", "operator"];
/** Callers on behalf of founders: an operator, or the gateway for the person that it names (`principalOf`). */
const FOUNDERS = ["gateway", "operator"];
/** Callers that write commitments. `feeder` is a service that feeds sales without a source. */
const WRITERS = ["indexer", "feeder", "operator"];

/** The callers that may call each method. */
export const ALLOWED_CALLERS: AllowedCallers = {
  [SaleService.typeName]: {
    CreateSale: FOUNDERS,
    GetSale: [...READERS, "indexer", "auth", "entities", "feeder"],
    ListSales: ["indexer", "operator"],
    UpdateSale: FOUNDERS,
    OpenSale: FOUNDERS,
    SettleSale: FOUNDERS,
    CheckSale: FOUNDERS,
    BeginSale: ["gateway"],
    KeepBegunSale: ["gateway"],
    WithdrawSale: FOUNDERS,
    DeleteDraft: FOUNDERS,
    SetSaleLogo: FOUNDERS,
    ListSaleOverviews: FOUNDERS,
    PreviewSale: FOUNDERS,
  },
  [CommitmentService.typeName]: {
    // The gateway only for a person: `admitPerson`.
    ApplyCommitments: [...WRITERS, "gateway"],
    AcquireSaleLease: ["indexer", "operator"],
    AcquireSaleLeases: ["indexer", "operator"],
    RenewSaleLeases: ["indexer", "operator"],
    GetCommitmentData: [...READERS, "feeder"],
    GetRevisions: [...READERS, "feeder"],
    ListChangedSales: ["gateway", "indexer"],
    ListPublicSales: ["gateway"],
    ListCommitments: ["operator"],
    ExportCommitments: FOUNDERS,
    ListDigests: WRITERS,
    GetCommitmentRecords: [...WRITERS, "entities"],
    ReportSourceStatus: ["indexer", "operator"],
    ReportSourceStatuses: ["indexer", "operator"],
    RequestSweep: ["operator"],
    GetPriceLevels: READERS,
    GetHistory: READERS,
    GetPosition: ["gateway", "operator", "entities"],
    GetBidOutcomes: ["entities"],
    GetSaleLogo: FOUNDERS,
    WatchCommitmentData: ["operator"],
    ReplayOutbox: ["operator"],
    RenewGeneration: ["operator"],
    SetAllocations: ["feeder", "operator"],
    ListAllocations: ["operator", "feeder"],
    ListWalletAllocations: READERS,
  },
  [WebhookService.typeName]: {
    CreateWebhookEndpoint: FOUNDERS,
    ListWebhookEndpoints: FOUNDERS,
    SetWebhookEndpointEnabled: FOUNDERS,
    DeleteWebhookEndpoint: FOUNDERS,
    RotateWebhookSecret: FOUNDERS,
    SendTestEvent: FOUNDERS,
    ReplayWebhookEvents: FOUNDERS,
    ListWebhookDeliveries: FOUNDERS,
  },
  [SecretService.typeName]: { RewrapSecrets: ["operator"] },
  ...STATUS_CALLERS,
};
