import { Registry } from "prom-client";
import { Env } from "../../common/platform/config/env.ts";
import { Lifecycle } from "../../common/platform/lifecycle/lifecycle.ts";
import { captureLog } from "../../common/platform/testing/log-capture.ts";
import type { Application } from "../../services/auth/testing/application.ts";
import { sampleClient } from "../../services/auth/testing/sample-application.ts";
import { AuthInProcess } from "../../test/support/processes/auth-in-process.ts";
import { CommitmentsInProcess } from "../../test/support/processes/commitments-in-process.ts";
import { EntitiesInProcess } from "../../test/support/processes/entities-in-process.ts";
import { startGateway } from "../composition.ts";
import { gatewayConfig } from "../config.ts";
import type { DashboardServices, IndexerClient } from "../dashboard/base/dashboard-dependencies.ts";
import { authSurfaceConfig } from "../web/sessions/auth-config.ts";
import type { EntitiesUpstream } from "../web/sessions/entities-upstream.ts";
import { FakeCommitments, SALE } from "./fake-commitments.ts";
import { openGatewayPort } from "./gateway-parts.ts";
import { SQUARE_LOGO, WIDE_LOGO } from "./sample-logos.ts";

export const CLIENT_ID = "22222222-2222-4222-8222-222222222222";
export const CALLBACK = "https://app.example/callback";
/** The one registered post-logout redirect URI. */
export const LOGOUT_URI = "https://app.example/signed-out";
/** The challenge of the verifier of RFC 7636, appendix B. */
const CODE_CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
export const CODE_VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

const AUTH_URL = "http://localhost:8080";

/** A gateway on a free port, with the auth service in the same process. */
interface StartedGateway {
  readonly auth: AuthInProcess;
  /** Answers the public read. */
  readonly commitments: FakeCommitments;
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  readonly port: number;
  /** Its metrics. */
  readonly registry: Registry;
  /** Its log lines. */
  readonly log: readonly Record<string, unknown>[];
  stop(): Promise<void>;
}

/** A gateway whose auth service knows the application `CLIENT_ID` of `SALE`. */
export interface AuthGateway extends StartedGateway {
  /** `CLIENT_ID` as it calls auth itself, which no fault touches. */
  readonly application: Application;
}

/** A gateway with the commitments and the entities service in the same process besides, without a sale. */
export interface FullGateway extends StartedGateway {
  readonly sales: CommitmentsInProcess;
  readonly entities: EntitiesInProcess;
}

type Settings = Readonly<Record<string, string>>;

/**
 * Starts a gateway without the founder's pages, at which nobody takes part.
 *
 * @param variables settings; `AUTH_URL` is `http://localhost:8080` by default
 */
export async function startAuthGateway(variables: Settings = {}): Promise<AuthGateway> {
  const auth = await startAuth(variables);
  const application = await harbourPortal(auth);
  return { ...(await startWith(auth, variables)), application };
}

/**
 * @param variables settings of the gateway and of the entities service; `AUTH_URL` is `http://localhost:8080` by default
 * @param indexer checks contracts; nobody does without it
 */
export async function startFullGateway(variables: Settings = {}, indexer?: IndexerClient): Promise<FullGateway> {
  const auth = await startAuth(variables);
  const sales = await CommitmentsInProcess.start(auth);
  const entities = await EntitiesInProcess.start(auth, sales, variables);
  const upstreams = { dashboard: { ...sales.clients, indexer }, entitiesUpstream: entities.clients };
  const gateway = await startWith(auth, variables, upstreams);
  const stop = async () => {
    await gateway.stop();
    await entities.stop();
    await sales.stop();
  };
  return { ...gateway, sales, entities, stop };
}

interface OtherServices {
  readonly dashboard: DashboardServices;
  readonly entitiesUpstream: EntitiesUpstream;
}

async function startWith(auth: AuthInProcess, variables: Settings, others?: OtherServices): Promise<StartedGateway> {
  const env = new Env({ GATEWAY_PORT: "0", AUTH_URL, ...variables });
  const { logger, lines: log } = captureLog();
  const [commitments, lifecycle, registry] = [new FakeCommitments(), new Lifecycle({ logger }), new Registry()];
  lifecycle.onStop("auth", () => auth.stop());
  const config = gatewayConfig(env);
  const { server, counters } = await openGatewayPort(config);
  const { port } = server;
  startGateway({
    config,
    server,
    counters,
    commitments: commitments.client,
    auth: { config: authSurfaceConfig(env), clients: auth.clients, ...others },
    lifecycle,
    registry,
    logger,
  });
  const origin = `http://127.0.0.1:${port}`;
  return { auth, commitments, port, registry, log, origin, stop: () => lifecycle.stop() };
}

function startAuth(variables: Settings): Promise<AuthInProcess> {
  return AuthInProcess.start(variables["AUTH_URL"] ?? AUTH_URL);
}

/** Adds the application `CLIENT_ID` of `SALE`, whose sale must be there where the commitments service has it. */
export function harbourPortal(auth: AuthInProcess): Promise<Application> {
  const [square, wide] = [SQUARE_LOGO, WIDE_LOGO];
  const { definition } = sampleClient();
  // ES256, as an RSA key takes long to make.
  const security = {
    ...definition.security,
    idTokenSignedResponseAlg: "ES256" as const,
    postLogoutRedirectUris: [LOGOUT_URI],
  };
  return auth.application(
    {
      uuid: CLIENT_ID,
      saleUuid: SALE,
      saleName: "Harbour Token public sale",
      definition: { ...definition, name: "Harbour Portal", security },
      squareLogo: square.hash,
      wideLogo: wide.hash,
    },
    [square, wide],
  );
}

/** The address with which the application begins an authorization, some parameters changed; `""` omits one. */
export function authorizePath(changes: Readonly<Record<string, string>> = {}): string {
  const standard = { client_id: CLIENT_ID, response_type: "code", redirect_uri: CALLBACK };
  const parameters = { ...standard, code_challenge: CODE_CHALLENGE, state: "s", ...changes };
  return `/oauth/authorize?${new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ""))}`;
}
