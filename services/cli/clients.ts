import { createClient, type Transport } from "@connectrpc/connect";
import { saleNumber } from "../../common/internal-api/sale-of-call.ts";
import { createRpcTransport, type RpcTransportOptions } from "../../common/platform/rpc/client/client.ts";
import { AccountService } from "../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { ClientService } from "../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { KeyService } from "../../proto/gen/tidemark/auth/v1/key_service_pb.ts";
import { MembershipService } from "../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { CommitmentService } from "../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleService } from "../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { WebhookService } from "../../proto/gen/tidemark/commitments/v1/webhook_service_pb.ts";
import { EligibilityService } from "../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { EntityService } from "../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { PermitService } from "../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { IndexerService } from "../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { SecretService } from "../../proto/gen/tidemark/secrets/v1/secret_service_pb.ts";
import { StatusService } from "../../proto/gen/tidemark/status/v1/status_service_pb.ts";
import type { CliContext } from "./base/cli-context.ts";
import { type AddressedProcess, processUrls, SERVICE_NAMES, type ServiceName } from "./base/service-processes.ts";
import type { CliConfig, ServiceAddress } from "./config.ts";

/** Long enough for a check of a source, which sends several requests to a node. */
const CALL_TIMEOUT_MS = 60_000;

type CreateTransport = (options: RpcTransportOptions) => Transport;

/** Creates the clients of the services. They connect with their first call. */
export function createClients(
  { connectRetryMs, ...config }: CliConfig,
  createTransport: CreateTransport = createRpcTransport,
): Omit<CliContext, "output" | "errors" | "signal"> {
  const create: CreateTransport = (options) => createTransport({ ...options, connectRetryMs });
  const commitments = transportTo(config.commitments, create);
  const auth = transportTo(config.auth, create);
  const entities = transportTo(config.entities, create);
  return {
    connectRetryMs,
    sales: createClient(SaleService, commitments),
    commitments: createClient(CommitmentService, commitments),
    webhooks: createClient(WebhookService, commitments),
    indexer: createClient(IndexerService, transportTo(config.indexer, create)),
    applications: createClient(ClientService, auth),
    accounts: createClient(AccountService, auth),
    memberships: createClient(MembershipService, auth),
    signingKeys: createClient(KeyService, auth),
    entities: createClient(EntityService, entities),
    eligibility: createClient(EligibilityService, entities),
    permits: createClient(PermitService, entities),
    secrets: {
      auth: createClient(SecretService, auth),
      entities: createClient(SecretService, entities),
      commitments: createClient(SecretService, commitments),
    },
    processes: async () =>
      (await Promise.all(SERVICE_NAMES.map((service) => processesOf(service, config[service], create)))).flat(),
  };
}

function transportTo({ url, caller, ca }: ServiceAddress, create: CreateTransport): Transport {
  return create({ baseUrl: url, caller, ca, affinity: saleNumber, defaultTimeoutMs: CALL_TIMEOUT_MS });
}

/** Finds the processes of a service, each with a client of its own; none without an address. */
async function processesOf(
  service: ServiceName,
  address: ServiceAddress | undefined,
  create: CreateTransport,
): Promise<readonly AddressedProcess[]> {
  if (address === undefined) return [];
  const { caller, ca } = address;
  const urls = (await Promise.all(address.url.map((url) => processUrls(url)))).flat();
  return urls.map(({ url, servername }) => {
    const transport = create({ baseUrl: url, servername, caller, ca, defaultTimeoutMs: CALL_TIMEOUT_MS });
    return { service, url, client: createClient(StatusService, transport) };
  });
}
