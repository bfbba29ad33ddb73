import { BlockList, isIP } from "node:net";
import { ConfigError, type Env } from "../../../services/shared/config/env.ts";

const MAX_HOPS = 16;
const MAX_NETWORKS = 1_000;

type IsTrusted = (address: string, hop: number) => boolean;

/**
 * Which proxies are believed when they say, in `X-Forwarded-For`, where a request comes from. Each proxy appends the
 * address that it was called from, so the header is read from its end: what stands before the first address that
 * isn't a trusted proxy's may be anybody's invention.
 */
export class TrustedProxies {
  readonly #isTrusted: IsTrusted;

  private constructor(isTrusted: IsTrusted) {
    this.#isTrusted = isTrusted;
  }

  /**
   * `2`: the two nearest, whatever their addresses; `10.0.0.0/8, ::1`: those with one of these addresses.
   *
   * @returns undefined for any other text
   */
  static parse(text: string): TrustedProxies | undefined {
    if (/^\d{1,2}$/.test(text)) {
      const hops = Number(text);
      return hops <= MAX_HOPS ? new TrustedProxies((_, hop) => hop < hops) : undefined;
    }
    const networks = parseNetworks(text);
    return networks && new TrustedProxies((address) => networks.check(address, familyOf(address)));
  }

  /**
   * The client's address, an IPv4-mapped IPv6 address as IPv4; empty where the connection has none any more.
   *
   * @param forwardedFor the header's lines, joined by commas
   */
  clientAddress(socketAddress: string | undefined, forwardedFor: string | undefined): string {
    const path = (forwardedFor ?? "").split(",").map((part) => unmapped(part.trim()));
    let address = unmapped(socketAddress ?? "");
    for (let hop = 0; isIP(address) !== 0 && this.#isTrusted(address, hop); hop++) {
      const next = path.pop();
      if (next === undefined || isIP(next) === 0) break;
      address = next;
    }
    return isIP(address) === 0 ? "" : address;
  }
}

/** `TRUSTED_PROXIES`, none by default. @throws ConfigError */
export function readTrustedProxies(env: Env): TrustedProxies {
  const proxies = TrustedProxies.parse(env.string("TRUSTED_PROXIES", "0"));
  if (proxies !== undefined) return proxies;
  throw new ConfigError(
    "TRUSTED_PROXIES",
    "expected a number from 0 to 16, or addresses and networks such as 10.0.0.0/8",
  );
}

function parseNetworks(text: string): BlockList | undefined {
  const list = new BlockList();
  const parts = text.split(",").map((part) => part.trim());
  if (parts.length > MAX_NETWORKS) return undefined;
  for (const part of parts) {
    const [address = "", prefix, ...more] = part.split("/");
    const bits = isIP(address) === 4 ? 32 : 128;
    const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
    if (isIP(address) === 0 || !(length <= bits) || more.length > 0) return undefined;
    list.addSubnet(address, length, familyOf(address));
  }
  return list;
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 4 ? "ipv4" : "ipv6";
}

/** `::ffff:192.0.2.1`, as a socket that listens on both families has it, is `192.0.2.1`; no zone. */
function unmapped(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  return mapped ?? address.replace(/%.*$/, "");
}
