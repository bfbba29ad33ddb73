import type { Client } from "@connectrpc/connect";
import type { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import type { BaseDependencies } from "../base/dependencies.ts";
import type { Mailer } from "../base/mailer.ts";

export interface MembershipDependencies extends Pick<BaseDependencies, "database" | "clock" | "logger" | "rateLimits"> {
  /** `AUTH_URL`. */
  readonly issuer: string;
  readonly mailer: Mailer;
  /** A client of the commitments service. */
  readonly sales: Pick<Client<typeof SaleService>, "getSale">;
  /** Whether only invited founders may create sales. */
  readonly onlyFounders: boolean;
}
