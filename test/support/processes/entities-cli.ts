import { createClient, createRouterTransport } from "@connectrpc/connect";
import { IndexerService } from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { type CliRun, runCliWith } from "./cli.ts";
import type { EntitiesFixture } from "./entities-fixture.ts";

/** Returns a function that runs the operator's command against the services of a fixture, which have no indexer. */
export function entitiesCli(service: EntitiesFixture): (...args: string[]) => Promise<CliRun> {
  const { auth, entities, eligibility, permits } = service;
  const clients = {
    sales: auth.commitments.sales,
    commitments: auth.commitments.commitments,
    webhooks: auth.commitments.webhooks,
    indexer: createClient(IndexerService, NO_INDEXER),
    applications: auth.clients,
    accounts: auth.accounts,
    memberships: auth.memberships,
    signingKeys: auth.keys,
    entities,
    eligibility,
    permits,
    secrets: { auth: auth.secrets, entities: service.secrets, commitments: auth.commitments.secrets },
    connectRetryMs: 0,
    processes: async () => [],
  };
  return (...args) => runCliWith(clients, args);
}

const NO_INDEXER = createRouterTransport(({ service }) => void service(IndexerService, {}));
