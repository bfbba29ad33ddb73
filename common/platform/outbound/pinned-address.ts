import { lookup } from "node:dns/promises";
import { isIP, isIPv6 } from "node:net";
import { isLoopbackHost } from "./loopback-host.ts";
import { OutboundFault } from "./outbound-fault.ts";
import { isPublicHost } from "./public-host.ts";

/** Resolves a name to all of its IP addresses. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** The system's own resolution, `/etc/hosts` included. */
export const resolveBySystem: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address);

/** Addresses of a host that are tried. */
const MAX_ADDRESSES = 4;

/**
 * Resolves the host of a URL once, and returns the addresses to connect to, in the order in which to try them. A host is refused if any of its addresses isn't of the
 * public internet: a name that leads to both kinds is an attack or a mistake.
 *
 * @param loopback whether hosts of this machine may be asked
 * @throws OutboundFault `blocked` or `unreachable`
 */
export async function pinnedAddresses(url: URL, resolve: Resolve, loopback: boolean): Promise<readonly string[]> {
  const hostname = hostOf(url);
  const isAllowed = loopback && isLoopbackHost(url.hostname) ? isLoopbackAddress : isPublicAddress;
  const addresses = isIP(hostname) === 0 ? await resolved(hostname, resolve) : [hostname];
  if (addresses.length === 0) throw new OutboundFault("unreachable", `${url.host} has no address`);
  if (addresses.every(isAllowed)) return addresses.slice(0, MAX_ADDRESSES);
  throw new OutboundFault("blocked", `${url.host} leads to an address that isn't of the public internet`);
}

/** Returns the name or IP address of a URL's host, without the brackets of an IPv6 address and without a final dot. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname.replace(/\.+$/, "");
}

async function resolved(hostname: string, resolve: Resolve): Promise<readonly string[]> {
  try {
    return await resolve(hostname);
  } catch (error) {
    throw new OutboundFault("unreachable", `${hostname} can't be resolved`, { cause: error });
  }
}

/** @param address an IP address; any other text isn't public */
function isPublicAddress(address: string): boolean {
  return isIP(address) !== 0 && isPublicHost(inUrl(address));
}

function isLoopbackAddress(address: string): boolean {
  return isIP(address) !== 0 && isLoopbackHost(inUrl(address));
}

/** The form of an address in `URL.hostname`. */
function inUrl(address: string): string {
  return isIPv6(address) ? `[${address}]` : address;
}
