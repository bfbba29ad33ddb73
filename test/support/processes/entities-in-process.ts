import { createClient, createRouterTransport } from "@connectrpc/connect";
import { Registry } from "prom-client";
import { Env } from "../../../common/platform/config/env.ts";
import { CallFaults } from "../../../common/platform/rpc/testing/call-faults.ts";
import { routerTransport } from "../../../common/platform/rpc/testing/router-transport.ts";
import { captureLog } from "../../../common/platform/testing/log-capture.ts";
import { IndexerService } from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { ALLOWED_CALLERS } from "../../../services/entities/allowed-callers.ts";
import { entitiesConfig } from "../../../services/entities/base/config.ts";
import { deriveKeys } from "../../../services/entities/base/derived-keys.ts";
import { entitiesRoutes } from "../../../services/entities/routes.ts";
import { openMigrated } from "../../../services/entities/testing/memory-database.ts";
import { entitiesActors } from "../../../services/entities/upstream-clients.ts";
import { type WiredContext, wireContext } from "../../../services/entities/wired-context.ts";
import type { AuthInProcess } from "./auth-in-process.ts";
import type { CommitmentsInProcess } from "./commitments-in-process.ts";
import { type EntitiesClients, entitiesClients } from "./entities-clients.ts";

const KEY_ENCRYPTION_KEY = Buffer.alloc(32, 9).toString("base64url");

/** The answer of every sale's contract about a signer of permits. */
interface AskedContract {
  /** Undefined while the contract can't be asked. */
  accepted: boolean | undefined;
  /** Why it can't. */
  problem: string;
  /** Undefined for a contract without `maxWalletsPerEntity()`. */
  maxWalletsPerEntity?: number;
}

/**
 * The entities service in this process, on a database in memory, with auth and commitments in this process, too, where no wallet
 * is a contract. The clients are the gateway's, with `faults` between.
 */
export class EntitiesInProcess {
  readonly clients: EntitiesClients;
  readonly faults = new CallFaults();
  /** The objects of its handlers. */
  readonly context: WiredContext;
  /** Accepts no signer by default. */
  readonly contract: AskedContract;
  readonly #auth: AuthInProcess;

  private constructor(context: WiredContext, contract: AskedContract, auth: AuthInProcess) {
    this.context = context;
    this.contract = contract;
    this.#auth = auth;
    this.clients = this.as("gateway", this.faults);
  }

  /** @param settings of the service, as in the environment */
  static async start(
    auth: AuthInProcess,
    commitments: CommitmentsInProcess,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<EntitiesInProcess> {
    const { issuer, clock } = auth.people.context;
    const config = entitiesConfig(new Env({ AUTH_URL: issuer, KEY_ENCRYPTION_KEY, ...settings }));
    const contract: AskedContract = { accepted: false, problem: "" };
    const context = wireContext({
      ...auth.as("entities"),
      ...commitments.as("entities"),
      indexer: createClient(IndexerService, indexerOf(contract)),
      config,
      database: await openMigrated(),
      clock,
      logger: captureLog().logger,
      registry: new Registry(),
      derivedKeys: deriveKeys(config.keyEncryptionKey),
    });
    return new EntitiesInProcess(context, contract, auth);
  }

  /** RPC clients of a service. */
  as(caller: string, faults?: CallFaults): EntitiesClients {
    const interceptors = faults === undefined ? [] : [faults.interceptor];
    const { issuer, clock } = this.#auth.people.context;
    const { authorization, logger } = this.context;
    const now = () => Number(clock());
    const actors = entitiesActors({ authorization }, { issuer, now, logger, registry: new Registry() });
    const routes = entitiesRoutes(this.context);
    return entitiesClients(routerTransport({ routes, allowed: ALLOWED_CALLERS, caller, actors, interceptors }));
  }

  async stop(): Promise<void> {
    await this.context.database.close();
  }
}

/** Finds no contract at the address of a wallet, and answers about signers as the contract of a sale. */
function indexerOf(contract: AskedContract) {
  return createRouterTransport(({ service }) => {
    service(IndexerService, {
      checkAccountSignature: () => ({ valid: false, hasCode: false }),
      checkSource: () => {
        const { maxWalletsPerEntity } = contract;
        return { readable: true, ...(maxWalletsPerEntity !== undefined && { maxWalletsPerEntity }) };
      },
      checkPermitSigner: () => {
        const { accepted, problem } = contract;
        return accepted === undefined ? { problem } : { accepted };
      },
    });
  });
}
