import { httpOrigin } from "../../common/platform/http/http-origin.ts";
import { AUTH_PATHS } from "../../gateway/web/sessions/auth-paths.ts";
import type { AuthConfig } from "../auth/base/config.ts";
import type { Demo } from "../demo/demo.ts";
import { AUCTION, CONTINUOUS, FIXED_PRICE } from "../demo/sales/demo-sales.ts";
import type { EmbeddedConfig } from "./config.ts";

/** The facts of the demo that the welcome shows. */
interface DemoNote extends Pick<Demo, "auctionMoves"> {
  readonly application: Pick<Demo["application"], "origin" | "redirectUri" | "isRunning">;
  readonly chain:
    | {
        readonly running: true;
        readonly url: string;
        readonly contract: string;
        /** Absent if the contract takes no purchase permits. */
        readonly grantSigner?: unknown;
      }
    | { readonly running: false; readonly absence: string };
}

export interface WelcomeOptions extends Pick<EmbeddedConfig, "gateway" | "commitments"> {
  readonly auth: Pick<AuthConfig, "issuer" | "mail">;
  /** Whether mails are also shown on the terminal. */
  readonly isTerminal: boolean;
  /** The page that shows the mails on this machine; absent without one. */
  readonly mailPageUrl?: string;
  /** The address that the process listens on. */
  readonly host: string;
  readonly ports: Readonly<Record<"gateway" | "admin" | "rpc" | "indexer" | "auth" | "entities", number>>;
  /** The URL to give to the vendor of identity checks; absent without one. */
  readonly identityCallbackUrl?: string;
  /** Absent if the demo is off. */
  readonly runningDemo?: DemoNote;
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/;

/** The text that `npm start` prints when everything answers. */
export function welcome(options: WelcomeOptions): string {
  const { gateway, commitments, auth, runningDemo, host, ports, identityCallbackUrl } = options;
  const urlOf = (port: number) => httpOrigin(host, port);
  const read = `${urlOf(ports.gateway)}/${gateway.publicPathPrefix}/v1/public/read-commitment-data`;
  const lines = [
    "Tidemark is running: all services in this process.",
    `  public read: ${read}`,
    `  health and metrics: ${urlOf(ports.admin)}/healthz, /readyz, /metrics, /status`,
    `  RPCs (Connect, gRPC, gRPC-Web): ${urlOf(ports.rpc)}; of the indexer: ${urlOf(ports.indexer)}; of auth: ${urlOf(ports.auth)}; of entities: ${urlOf(ports.entities)}`,
    `  sign-in: ${auth.issuer}/account; its mails: ${mailsOf(options)}`,
    `  founder dashboard: ${auth.issuer}/dashboard`,
    ...(identityCallbackUrl === undefined ? [] : [`  callbacks of the identity vendor: ${identityCallbackUrl}`]),
    `  data: ${"mysql" in commitments.store ? "MySQL" : commitments.store.sqliteFile}`,
    ...(runningDemo ? demoLines(read, options, runningDemo) : ["", "There is no demo sale (DEMO=off)."]),
    "",
    "Ctrl+C stops it.",
  ];
  return `${lines.join("\n")}\n`;
}

function mailsOf({ auth: { mail }, isTerminal, mailPageUrl, host }: WelcomeOptions): string {
  const { folder } = mail;
  if (folder === undefined) return "by SMTP";
  const page = mailPageUrl === undefined ? [] : [`${mailPageUrl}${onlyHere(host)}`];
  const shown = [...page, ...(isTerminal ? ["here"] : [])];
  return shown.length === 0 ? folder : `${shown.join(", ")} and in ${folder}`;
}

/** A remark on addresses at `localhost` of a process whose other addresses are on its network, as in a pod. */
function onlyHere(host: string): string {
  return LOOPBACK.test(host) ? "" : " (in a pod: by kubectl port-forward)";
}

/** An authorization link to try out. It uses the PKCE pair of RFC 7636 appendix B, which is public. */
function authorizeUrl(issuer: string, redirectUri: string): string {
  const parameters = {
    response_type: "code",
    client_id: AUCTION.clientUuid,
    redirect_uri: redirectUri,
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  };
  return `${issuer}${AUTH_PATHS.authorize}?${new URLSearchParams(parameters)}`;
}

function applicationLines(
  { auth: { issuer }, host }: WelcomeOptions,
  { origin, redirectUri, isRunning }: DemoNote["application"],
): string[] {
  return [
    isRunning
      ? `  demo application: ${origin}${onlyHere(host)}, which signs you in and shows how`
      : `  demo application: none, as another program uses ${origin}`,
    `  authorize link: ${authorizeUrl(issuer, redirectUri)}`,
  ];
}

function runningChain({ url, contract, grantSigner }: Extract<DemoNote["chain"], { running: true }>): string {
  const deployed = `${url}, with the auction's contract ${contract}`;
  if (grantSigner !== undefined) return deployed;
  return `${deployed}, which an older version deployed: it takes no purchase permits; that in a new DATA_DIR does`;
}

function withoutChain(auctionMoves: boolean): string {
  return auctionMoves ? "the simulated bidders bid through the RPC" : "the auction, which is on it, doesn't change";
}

function demoLines(read: string, options: WelcomeOptions, { application, chain, auctionMoves }: DemoNote): string[] {
  const sales = [
    [AUCTION, "auction"],
    [FIXED_PRICE, "fixed price"],
    ...(chain.running ? ([[CONTINUOUS, "continuous auction"]] as const) : []),
  ] as const;
  return [
    `  demo sales: ${sales.map(([{ uuid }, kind]) => `${uuid} (${kind})`).join(", ")}`,
    `  their live pages: ${sales.map(([{ uuid }]) => new URL(`/sales/${uuid}`, read)).join(", ")}`,
    `  local chain: ${chain.running ? runningChain(chain) : `none, ${chain.absence}; ${withoutChain(auctionMoves)}`}`,
    ...applicationLines(options, application),
    "",
    auctionMoves ? "Simulated bidders are bidding. Read the auction, and again a moment later:" : "Read the auction:",
    "",
    `curl -s ${read} -H 'content-type: application/json' -d '{"SaleUUID":"${AUCTION.uuid}"}'`,
  ];
}
