import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { Client } from "@connectrpc/connect";
import type { StatusService } from "../../../proto/gen/tidemark/status/v1/status_service_pb.ts";

/** The services whose processes are asked for their status. */
export const SERVICE_NAMES = ["commitments", "indexer", "auth", "entities", "gateway"] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** A place at which a process of a service should answer. */
export interface AddressedProcess {
  readonly service: ServiceName;
  /** The URL with the process's own IP address; as configured where the name has none. */
  readonly url: string;
  readonly client: Pick<Client<typeof StatusService>, "getStatus">;
}

/** The URL of one process. */
export interface ProcessUrl {
  readonly url: string;
  /** The name in the configured URL, which an https server's certificate must have. */
  readonly servername?: string;
}

/** Returns all IP addresses of a name. @throws Error if it has none, or can't be asked for them */
type Resolve = (name: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;

const systemResolve: Resolve = (name) => lookup(name, { all: true });

/**
 * Returns a URL for each process behind a configured one: a headless Service's name has the address of each pod. Only IPv4 addresses
 * are used if there are any, as a process may have one of each kind.
 */
export async function processUrls(
  configured: string,
  resolve: Resolve = systemResolve,
): Promise<readonly ProcessUrl[]> {
  const { hostname: name } = new URL(configured);
  if (isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0) return [{ url: configured }];
  const found = await resolve(name).catch(() => []);
  // The call to the name will say why it has no address.
  if (found.length === 0) return [{ url: configured }];
  const least = Math.min(...found.map(({ family }) => family));
  return found
    .filter(({ family }) => family === least)
    .map(({ address }) => {
      const url = new URL(configured);
      url.hostname = isIP(address) === 6 ? `[${address}]` : address;
      return { url: url.href, servername: name };
    });
}
