import type { Client } from "@connectrpc/connect";
import type { SaleService } from "../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import type { AuthDependencies } from "../web/auth/auth-dependencies.ts";
import type { CheckLimit } from "./check-limit.ts";
import type { IndexerClient } from "./sources.ts";

/** What the founder's pages need besides the auth service. */
export interface DashboardServices {
  readonly sales: Pick<Client<typeof SaleService>, "createSale" | "getSale" | "updateSale" | "openSale" | "settleSale">;
  /** Without it contracts can't be checked from a page. */
  readonly indexer?: IndexerClient | undefined;
}

/** What the handlers of the founder's pages work with. */
export interface DashboardDependencies extends AuthDependencies {
  readonly dashboard: DashboardServices & {
    /** Path of the public read operation. */
    readonly publicReadPath: string;
    readonly checkLimit: CheckLimit;
  };
}
