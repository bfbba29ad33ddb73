import { createClient } from "@connectrpc/connect";
import { Registry } from "prom-client";
import { Env } from "../../../common/platform/config/env.ts";
import { Lifecycle } from "../../../common/platform/lifecycle/lifecycle.ts";
import { createRpcTransport } from "../../../common/platform/rpc/client/client.ts";
import { INDEXER_AUDIENCE } from "../../../common/platform/rpc/identity/audiences.ts";
import { generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { openHttpListener } from "../../../common/platform/rpc/server/http-listener.ts";
import { captureLog } from "../../../common/platform/testing/log-capture.ts";
import { IndexerService } from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { indexerConfig } from "../../../services/indexer/config.ts";
import { startIndexer } from "../../../services/indexer/indexer-service.ts";
import type { TestDatabase } from "../databases/databases.ts";
import { type EntitiesFixture, type EntitiesFixtureOptions, startEntities } from "./entities-fixture.ts";

const CALL_TIMEOUT_MS = 60_000;

/**
 * Starts auth, commitments, entities and an indexer in this process, which know each other.
 *
 * @param chains the indexer's, as `CHAINS` has them
 */
export async function startIndexedEntities(
  database: TestDatabase,
  chains: Readonly<Record<string, unknown>>,
  options: Omit<EntitiesFixtureOptions, "indexer"> = {},
): Promise<EntitiesFixture> {
  const { logger } = captureLog();
  const lifecycle = new Lifecycle({ logger });
  const { key } = generateCallerKey();
  // The entities service asks the indexer, which asks the commitments service, which asks the entities service.
  const listener = await openHttpListener({ host: "127.0.0.1", port: 0, logger });
  const caller = { name: "entities", key, audience: INDEXER_AUDIENCE };
  const transport = createRpcTransport({ baseUrl: listener.url, caller, defaultTimeoutMs: CALL_TIMEOUT_MS });
  const fixture = await startEntities(database, { ...options, indexer: createClient(IndexerService, transport) });
  const settings = { CHAINS: JSON.stringify(chains), SALES_INTERVAL: "100ms", LEASE_DURATION: "2s" };
  await startIndexer({
    config: indexerConfig(new Env(settings)),
    client: fixture.auth.commitments.as("indexer"),
    listener,
    callerKeys: new Map([["entities", [key]]]),
    lifecycle,
    registry: new Registry(),
    logger,
  });
  lifecycle.markReady();
  const stop = async () => {
    await lifecycle.stop();
    await fixture.stop();
  };
  return { ...fixture, stop };
}
