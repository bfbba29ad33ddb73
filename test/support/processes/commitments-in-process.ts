import { createClient } from "@connectrpc/connect";
import { LocalBus } from "../../../common/platform/bus/local-bus.ts";
import { Env } from "../../../common/platform/config/env.ts";
import { RunningExports } from "../../../common/platform/db/running-exports.ts";
import { rpcJwks } from "../../../common/platform/jwt/jwks-source.ts";
import { OutboundFetcher } from "../../../common/platform/outbound/outbound-fetcher.ts";
import { actorVerifier } from "../../../common/platform/rpc/identity/actor-verifier.ts";
import { COMMITMENTS_AUDIENCE } from "../../../common/platform/rpc/identity/audiences.ts";
import { CallFaults } from "../../../common/platform/rpc/testing/call-faults.ts";
import { routerTransport } from "../../../common/platform/rpc/testing/router-transport.ts";
import { captureLog } from "../../../common/platform/testing/log-capture.ts";
import { memoryDatabases } from "../../../common/platform/testing/memory-databases.ts";
import { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { WebhookService } from "../../../proto/gen/tidemark/commitments/v1/webhook_service_pb.ts";
import { ALLOWED_CALLERS } from "../../../services/commitments/allowed-callers.ts";
import { authAuthority } from "../../../services/commitments/base/auth-authority.ts";
import { WATCH_POLL_MS } from "../../../services/commitments/base/domain/lifetimes.ts";
import { extraDataParsers } from "../../../services/commitments/base/extra-data-parsers.ts";
import { noSalePermits } from "../../../services/commitments/base/sale-permits.ts";
import { noSourceChecker } from "../../../services/commitments/base/source-checker.ts";
import { commitmentsConfig } from "../../../services/commitments/config.ts";
import { createCommitmentsStore } from "../../../services/commitments/create-store.ts";
import { migrateStore, openStore } from "../../../services/commitments/open-store.ts";
import { noBidExits } from "../../../services/commitments/positions/bid-exit-source.ts";
import { readRevisions } from "../../../services/commitments/reading/revisions-store.ts";
import { SaleWatch } from "../../../services/commitments/reading/sale-watch.ts";
import { readWatchedState } from "../../../services/commitments/reading/watch-commitment-data-rpc.ts";
import { commitmentsRoutes, type ServiceContext } from "../../../services/commitments/routes.ts";
import { EndpointSecrets } from "../../../services/commitments/webhooks/wrapped-secrets-store.ts";
import type { AuthInProcess } from "./auth-in-process.ts";
import type { AllCommitmentsClients } from "./commitments-fixture.ts";

type Clients = Omit<AllCommitmentsClients, "secrets">;

const KEY_ENCRYPTION_KEY = Buffer.alloc(32, 9);

const openDatabase = memoryDatabases(openStore, migrateStore);

/**
 * The commitments service in this process, on a database in memory, for which auth knows the roles, and which auth asks about sales.
 * It sends nothing to webhooks. The clients are the gateway's, with `faults` between.
 */
export class CommitmentsInProcess {
  readonly clients: Clients;
  readonly faults = new CallFaults();
  /** The objects of its handlers. */
  readonly context: ServiceContext;
  readonly #auth: AuthInProcess;

  private constructor(context: ServiceContext, auth: AuthInProcess) {
    this.context = context;
    this.#auth = auth;
    this.clients = this.as("gateway", this.faults);
    auth.sales.source = this.as("auth").sales.getSale;
  }

  static async start(auth: AuthInProcess): Promise<CommitmentsInProcess> {
    const { logger } = captureLog();
    const config = commitmentsConfig(new Env({}));
    const database = await openDatabase();
    const store = createCommitmentsStore(database);
    const extraDataParser = extraDataParsers();
    const outbound = new OutboundFetcher({ loopback: false });
    const context: ServiceContext = {
      store,
      authority: authAuthority(auth.as("commitments").memberships),
      sources: noSourceChecker,
      permits: noSalePermits,
      bidExits: noBidExits,
      applyMaxRows: config.applyMaxRows,
      extraDataParser,
      exports: new RunningExports({ database, maxExports: config.exportMaxStreams, maxMs: config.exportMaxMs }),
      watch: new SaleWatch({
        bus: new LocalBus(),
        readState: (saleUuid) => readWatchedState({ store, extraDataParser }, saleUuid),
        readVersions: (saleUuids) => readRevisions(database, saleUuids),
        logger,
        pollMs: WATCH_POLL_MS,
        maxWatchers: config.watchMaxStreams,
      }),
      webhooks: {
        secrets: new EndpointSecrets(KEY_ENCRYPTION_KEY),
        urlProblem: (url) => outbound.urlProblem(url),
        wake: () => {},
      },
      wakeRelay: () => {},
    };
    return new CommitmentsInProcess(context, auth);
  }

  /** RPC clients of a service. */
  as(caller: string, faults?: CallFaults): Clients {
    const interceptors = faults === undefined ? [] : [faults.interceptor];
    const routes = commitmentsRoutes(this.context);
    const { issuer, clock } = this.#auth.people.context;
    const jwks = rpcJwks(this.#auth.as("commitments").authorization);
    const now = () => Number(clock());
    const actors = actorVerifier({ jwks, issuer, audience: COMMITMENTS_AUDIENCE, now });
    const transport = routerTransport({ routes, allowed: ALLOWED_CALLERS, caller, actors, interceptors });
    return {
      sales: createClient(SaleService, transport),
      commitments: createClient(CommitmentService, transport),
      webhooks: createClient(WebhookService, transport),
    };
  }

  async stop(): Promise<void> {
    await this.context.store.database.close();
  }
}
