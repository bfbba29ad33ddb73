import type { Client } from "@connectrpc/connect";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import type { WebhookService } from "../../../proto/gen/tidemark/commitments/v1/webhook_service_pb.ts";
import type { Html } from "../../web/pages/layout.ts";
import type { AuthDependencies } from "../../web/sessions/auth-dependencies.ts";
import type { CheckLimit } from "./check-limit.ts";
import type { FounderSale } from "./founder-sale.ts";
import type { IndexerClient } from "./indexer-client.ts";
import type { ListedTokens } from "./listed-tokens.ts";
import type { RecentChecks } from "./recent-checks.ts";
import type { TokenFacts } from "./token-facts.ts";

export type { IndexerClient } from "./indexer-client.ts";

/** Services that the founder's pages call besides the auth service. */
export interface DashboardServices {
  readonly sales: Pick<
    Client<typeof SaleService>,
    | "createSale"
    | "getSale"
    | "updateSale"
    | "openSale"
    | "settleSale"
    | "checkSale"
    | "beginSale"
    | "keepBegunSale"
    | "withdrawSale"
    | "deleteDraft"
    | "setSaleLogo"
    | "listSaleOverviews"
    | "previewSale"
  >;
  readonly webhooks: Client<typeof WebhookService>;
  /** Takes commitments from files, and has the figures, also over time. */
  readonly commitments: Pick<
    Client<typeof CommitmentService>,
    "applyCommitments" | "exportCommitments" | "getCommitmentData" | "getHistory"
  >;
  /** Checks contracts; without it pages show no check. */
  readonly indexer?: IndexerClient | undefined;
}

/** Dependencies of the handlers of the founder's pages. */
export interface DashboardDependencies extends AuthDependencies {
  readonly dashboard: DashboardServices & {
    /** Has the logos of sales. */
    readonly saleLogos: Pick<Client<typeof CommitmentService>, "getSaleLogo">;
    /** Path of the public read. */
    readonly publicReadPath: string;
    /** Path of the custom element's script. */
    readonly saleScriptPath: string;
    /** Path of the page about the public calls. */
    readonly docsPath: string;
    /** The stablecoins that founders may choose by name. */
    readonly listedTokens: ListedTokens;
    readonly checkLimit: CheckLimit;
    /** Limits how often an account has tokens checked. */
    readonly tokenLimit: CheckLimit;
    readonly tokenFacts: TokenFacts;
    /** Checks of contracts that pages have made. */
    readonly recentChecks: RecentChecks;
    /** Returns how far a sale is, for the page at a path. */
    readonly saleProgress: (found: FounderSale, dependencies: DashboardDependencies, path: string) => Html;
  };
}
