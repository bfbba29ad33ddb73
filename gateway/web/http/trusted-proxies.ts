import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import { ConfigError, type Env } from "../../../common/platform/config/env.ts";

const MAX_HOPS = 16;
const MAX_NETWORKS = 1_000;

type IsTrusted = (address: string, hop: number) => boolean;

/**
 * The proxies whose `X-Forwarded-For` is believed. Each proxy appends the address that called it, so the header is
 * read from its end. Anybody may have written the addresses before the first one that isn't a trusted proxy's.
 */
export class TrustedProxies {
  readonly #isTrusted: IsTrusted;

  private constructor(isTrusted: IsTrusted) {
    this.#isTrusted = isTrusted;
  }

  /**
   * Parses the setting. `2` trusts the two nearest proxies, whatever their addresses; `10.0.0.0/8, ::1` trusts those
   * with one of these addresses.
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

  /** Returns whether connections from an address are those of a trusted proxy. */
  has(address: string): boolean {
    return isIP(address) !== 0 && this.#isTrusted(address, 0);
  }

  /** Returns the address of a request's client; empty where the connection has none any more. */
  addressOf({ socket, headers }: IncomingMessage): string {
    const forwardedFor = headers["x-forwarded-for"];
    const lines = Array.isArray(forwardedFor) ? forwardedFor.join(",") : forwardedFor;
    return this.clientAddress(socket.remoteAddress, lines);
  }

  /**
   * Returns the client's address; empty where the connection has none any more. An IPv4-mapped IPv6 address becomes
   * IPv4.
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

/** Returns `192.0.2.1` for `::ffff:192.0.2.1`, the form of sockets that listen on both families, and removes a zone. */
function unmapped(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  return mapped ?? address.replace(/%.*$/, "");
}
