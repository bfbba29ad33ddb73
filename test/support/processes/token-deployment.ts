import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { createRpcTransport } from "../../../common/platform/rpc/client/client.ts";
import {
  AUTH_AUDIENCE,
  COMMITMENTS_AUDIENCE,
  ENTITIES_AUDIENCE,
  INDEXER_AUDIENCE,
} from "../../../common/platform/rpc/identity/audiences.ts";
import { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { IndexerService } from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { POLL_TIMEOUT_MS } from "../repository/polling.ts";
import { type AuthClients, authClients } from "./auth-clients.ts";
import { type RunningProcess, startService } from "./child-process.ts";
import { type EntitiesClients, entitiesClients } from "./entities-clients.ts";
import { freePort } from "./free-port.ts";
import { type GatewayProcess, startGatewayProcess } from "./gateway-process.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { type TokenCaller, TokenIssuer } from "./token-issuer.ts";

type Env = Readonly<Record<string, string>>;

const READY = /^\{.*"msg":"(?:commitments service|auth service|indexer|entities service) listens".*$/;

/** All services and a gateway, each a process, on SQLite; they know one another by the tokens of an issuer only. */
export interface TokenDeployment {
  readonly issuer: TokenIssuer;
  readonly commitmentsUrl: string;
  /** RPC ports of the services. */
  readonly rpcPorts: readonly number[];
  readonly gateway: GatewayProcess & { readonly origin: string };
  /** Folder in which the auth service writes its mails. */
  readonly mailFolder: string;
  /** Clients of the services that call with a caller's tokens. */
  as(caller: TokenCaller): TokenClients;
  indexerIsReady(): Promise<boolean>;
  /** Waits for a line in the log of each service. */
  loggedByAll(line: RegExp): Promise<void>;
  stop(): Promise<void>;
}

export interface TokenClients {
  readonly commitments: ReturnType<typeof commitmentsClients>;
  readonly auth: AuthClients;
  readonly indexer: ReturnType<typeof indexerClient>;
  readonly entities: EntitiesClients;
}

export interface TokenDeploymentOptions {
  /** Scheme of the services' RPC ports; http by default. */
  readonly scheme?: "http" | "https";
  /** Further environment of all processes. */
  readonly env?: Env;
  /** Certificates that this process's own clients trust. */
  readonly ca?: string;
}

export async function startTokenDeployment(options: TokenDeploymentOptions = {}): Promise<TokenDeployment> {
  const { scheme = "http", env: shared = {}, ca } = options;
  const folder = await temporaryFolder();
  const tokens = join(folder.path, "tokens");
  await mkdir(tokens);
  const issuer = await TokenIssuer.start(tokens);
  const ports = {
    commitments: await freePort(),
    auth: await freePort(),
    indexer: await freePort(),
    entities: await freePort(),
    gateway: await freePort(),
  };
  const urlOf = (service: keyof typeof ports) => `${scheme}://localhost:${ports[service]}`;
  const origin = `http://localhost:${ports.gateway}`;
  const upstreams = {
    COMMITMENTS_URL: urlOf("commitments"),
    AUTH_RPC_URL: urlOf("auth"),
    ENTITIES_URL: urlOf("entities"),
    AUTH_URL: origin,
    ...shared,
  };
  const INDEXER_URL = urlOf("indexer");
  const KEY_ENCRYPTION_KEY = Buffer.alloc(32, 7).toString("base64url");
  const started: RunningProcess[] = [];
  const start = async (service: "commitments" | "auth" | "indexer" | "entities", env: Env) => {
    const callers = { ...issuer.serverEnv(service), CALLER_TOKEN_DIR: issuer.folderOf(service) };
    const common = { DATA_DIR: folder.path, ADMIN_PORT: "0", ...upstreams, ...callers };
    const process = await startService({
      main: `services/${service}/main.ts`,
      env: { ...common, [`${service.toUpperCase()}_PORT`]: String(ports[service]), ...env },
      ready: READY,
    });
    started.push(process);
    return process;
  };
  const stop = async () => {
    await Promise.all(started.map((process) => process.kill()));
    await issuer.stop();
    await folder.remove();
  };
  const clientsOf = (caller: TokenCaller): TokenClients => {
    const transportTo = (service: keyof typeof ports, audience: string) =>
      createRpcTransport({
        baseUrl: urlOf(service),
        caller: { tokenFile: join(issuer.folderOf(caller), audience) },
        defaultTimeoutMs: POLL_TIMEOUT_MS,
        ...(ca && { ca }),
      });
    return {
      commitments: commitmentsClients(transportTo("commitments", COMMITMENTS_AUDIENCE)),
      auth: authClients(transportTo("auth", AUTH_AUDIENCE)),
      indexer: indexerClient(transportTo("indexer", INDEXER_AUDIENCE)),
      entities: entitiesClients(transportTo("entities", ENTITIES_AUDIENCE)),
    };
  };
  try {
    await start("commitments", {});
    const mailFolder = join(folder.path, "mail");
    await start("auth", { KEY_ENCRYPTION_KEY, MAIL_DIR: mailFolder });
    const indexer = await start("indexer", { SALES_INTERVAL: "100ms" });
    await start("entities", { KEY_ENCRYPTION_KEY, INDEXER_URL });
    const { adminPort } = JSON.parse((await indexer.waitForLine(READY))[0]);
    const services = [...started];
    const gateway = await startGatewayProcess({
      GATEWAY_PORT: String(ports.gateway),
      CALLER_TOKEN_DIR: issuer.folderOf("gateway"),
      INDEXER_URL,
      ...upstreams,
    });
    started.push(gateway.process);
    return {
      issuer,
      commitmentsUrl: urlOf("commitments"),
      rpcPorts: [ports.commitments, ports.auth, ports.indexer, ports.entities],
      gateway: { ...gateway, origin },
      mailFolder,
      as: clientsOf,
      indexerIsReady: async () => (await fetch(`http://127.0.0.1:${adminPort}/readyz`)).ok,
      loggedByAll: async (line) => {
        await Promise.all(services.map((process) => process.waitForLine(line)));
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function commitmentsClients(transport: ReturnType<typeof createRpcTransport>) {
  return { sales: createClient(SaleService, transport), commitments: createClient(CommitmentService, transport) };
}

function indexerClient(transport: ReturnType<typeof createRpcTransport>) {
  return createClient(IndexerService, transport);
}
