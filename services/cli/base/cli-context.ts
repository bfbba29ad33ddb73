import type { Writable } from "node:stream";
import type { Client } from "@connectrpc/connect";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { ClientService } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import type { KeyService } from "../../../proto/gen/tidemark/auth/v1/key_service_pb.ts";
import type { MembershipService } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import type { WebhookService } from "../../../proto/gen/tidemark/commitments/v1/webhook_service_pb.ts";
import type { EligibilityService } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import type { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import type { PermitService } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import type { IndexerService } from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import type { SecretService } from "../../../proto/gen/tidemark/secrets/v1/secret_service_pb.ts";
import type { AddressedProcess } from "./service-processes.ts";

/** A stream that a command writes to. */
export interface CliOutput extends Writable {
  /** Whether it is a terminal, on which a line can be overwritten. */
  readonly isTTY?: boolean;
  /** Width of the terminal. */
  readonly columns?: number;
}

/** The streams of a command, and its end. */
export interface CliStreams {
  /** The results. */
  readonly output: CliOutput;
  /** Everything else: failures and progress. */
  readonly errors: CliOutput;
  /** Aborted by Ctrl+C or SIGTERM. */
  readonly signal: AbortSignal;
}

/** The dependencies of a command. */
export interface CliContext extends CliStreams {
  readonly sales: Client<typeof SaleService>;
  readonly commitments: Client<typeof CommitmentService>;
  readonly webhooks: Client<typeof WebhookService>;
  readonly indexer: Client<typeof IndexerService>;
  /** The applications that sign users in. */
  readonly applications: Client<typeof ClientService>;
  readonly accounts: Client<typeof AccountService>;
  readonly memberships: Client<typeof MembershipService>;
  /** The keys that sign tokens. */
  readonly signingKeys: Client<typeof KeyService>;
  readonly entities: Client<typeof EntityService>;
  /** Rules, members and deny lists of sales. */
  readonly eligibility: Client<typeof EligibilityService>;
  /** Permits and the keys that sign them. */
  readonly permits: Client<typeof PermitService>;
  /** The secrets that `KEY_ENCRYPTION_KEY` wraps, of each service that has one. */
  readonly secrets: Readonly<Record<"auth" | "entities" | "commitments", Client<typeof SecretService>>>;
  /** How long calls whose connection can't be opened are repeated, in milliseconds. */
  readonly connectRetryMs: number;
  /** Finds the processes of all services, which may have changed since the last time. */
  processes(): Promise<readonly AddressedProcess[]>;
}
