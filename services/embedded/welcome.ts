import { AUCTION, FIXED_PRICE } from "../demo/demo-sales.ts";
import type { EmbeddedConfig } from "./config.ts";

export interface WelcomeOptions extends Pick<EmbeddedConfig, "gateway" | "commitments" | "demo"> {
  /** Where the process listens. */
  readonly host: string;
  readonly ports: { readonly gateway: number; readonly admin: number; readonly rpc: number };
}

/** What `npm start` says once everything answers. */
export function welcome({ gateway, commitments, demo, host, ports }: WelcomeOptions): string {
  const urlOf = (port: number) => `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const read = `${urlOf(ports.gateway)}/${gateway.publicPathPrefix}/v1/public/read-commitment-data`;
  const lines = [
    "Tidemark is running: all services in this process.",
    `  public read: ${read}`,
    `  health and metrics: ${urlOf(ports.admin)}/healthz, /readyz, /metrics`,
    `  RPCs (Connect, gRPC, gRPC-Web): ${urlOf(ports.rpc)}`,
    `  data: ${"mysql" in commitments.store ? "MySQL" : commitments.store.sqliteFile}`,
    ...(demo ? demoLines(read) : ["", "There is no demo sale (DEMO=off)."]),
    "",
    "Ctrl+C stops it.",
  ];
  return `${lines.join("\n")}\n`;
}

function demoLines(read: string): string[] {
  return [
    `  demo sales: ${AUCTION.uuid} (auction), ${FIXED_PRICE.uuid} (fixed price)`,
    "",
    "A made-up crowd is bidding. Read the auction, and again a moment later:",
    "",
    `curl -s ${read} -H 'content-type: application/json' -d '{"SaleUUID":"${AUCTION.uuid}"}'`,
  ];
}
