import type { Client } from "@connectrpc/connect";
import type { Logger } from "../../../common/platform/log/log.ts";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { AuthorizationService } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import type { ClientService } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import type { MembershipService } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { AuthSurfaceConfig } from "./auth-config.ts";
import type { BrowserCookies } from "./browser-cookies.ts";
import type { EntitiesUpstream } from "./entities-upstream.ts";

/** The clients of the auth service. Their transport sets the deadline. */
export interface AuthClients {
  readonly accounts: Client<typeof AccountService>;
  readonly authorization: Client<typeof AuthorizationService>;
  readonly clients: Client<typeof ClientService>;
  readonly memberships: Client<typeof MembershipService>;
}

/** Dependencies of the handlers of sign-in, OAuth and account. */
export interface AuthDependencies {
  readonly config: AuthSurfaceConfig;
  readonly clients: AuthClients;
  /** The clients of the entities service; without them nobody takes part through this gateway. */
  readonly entitiesUpstream?: EntitiesUpstream | undefined;
  /** Says what became of a wallet's bids. */
  readonly positions: Pick<Client<typeof CommitmentService>, "getPosition">;
  /** Returns how people reach those who run a sale; empty where that isn't known. */
  readonly contactOf: (saleUuid: string) => Promise<string>;
  readonly cookies: BrowserCookies;
  /** Whether this gateway serves the founder's pages. */
  readonly hasDashboard: boolean;
  readonly logger: Logger;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
}
