import type { Client } from "@connectrpc/connect";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { AuthorizationService } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import type { MembershipService } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import type { IndexerService } from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";

/** The RPCs of other services that this one calls. */
export interface Upstreams {
  readonly accounts: Pick<Client<typeof AccountService>, "getAccounts" | "notifyAccount" | "notifyReviewer">;
  readonly authorization: Pick<Client<typeof AuthorizationService>, "checkAccess" | "getJwks">;
  readonly memberships: Pick<Client<typeof MembershipService>, "getRole" | "getRoles" | "recordSaleChange">;
  readonly sales: Pick<Client<typeof SaleService>, "getSale">;
  readonly commitments: Pick<
    Client<typeof CommitmentService>,
    "getCommitmentRecords" | "getPosition" | "getBidOutcomes"
  >;
  readonly indexer: Pick<Client<typeof IndexerService>, "checkPermitSigner" | "checkAccountSignature" | "checkSource">;
}
