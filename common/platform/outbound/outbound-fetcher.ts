import { Buffer } from "node:buffer";
import { Agent as HttpAgent, type IncomingMessage, request as requestByHttp } from "node:http";
import { Agent as HttpsAgent, type RequestOptions, request as requestByHttps } from "node:https";
import { isIP } from "node:net";
import { Semaphore } from "../concurrency/semaphore.ts";
import { untilAborted } from "../concurrency/until-aborted.ts";
import { traceHttpRequest } from "../tracing/http-client-span.ts";
import { HostSlots } from "./host-slots.ts";
import { OutboundFault } from "./outbound-fault.ts";
import { checkOutboundUrl } from "./outbound-url.ts";
import { hostOf, pinnedAddresses, type Resolve, resolveBySystem } from "./pinned-address.ts";
import { readBody } from "./read-body.ts";

/** Requests at once, of one process and to one host. Others wait, within their deadlines. */
const MAX_CONCURRENT = 256;
const MAX_CONCURRENT_PER_HOST = 32;
/** Bound of all header lines of an answer together. */
const MAX_HEADER_BYTES = 16 * 1_024;
/** Errors of a connection that was never made. */
const NOT_CONNECTED: ReadonlySet<unknown> = new Set(["ECONNREFUSED", "ENETUNREACH", "EHOSTUNREACH", "EADDRNOTAVAIL"]);
/** An agent for one request. Without its own (empty) settings of proxies, Deno would take those of the environment. */
const WITHOUT_PROXY = { keepAlive: false, proxyEnv: {} };

export interface OutboundFetcherOptions {
  /** `OUTBOUND_LOOPBACK`: whether this machine may be asked too. */
  readonly loopback: boolean;
  /** `resolveBySystem` by default. */
  readonly resolve?: Resolve;
  /** PEM of the authorities to trust. Those of the runtime by default. */
  readonly ca?: string;
}

export interface OutboundRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  /** Lower-case names. `host`, `accept-encoding` and `content-length` are set. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Bound of the answer's body. */
  readonly maxBytes: number;
  /** The time for everything: waiting for others, the name, the connection, headers and body. In milliseconds. */
  readonly deadlineMs: number;
}

/** A complete answer. Its status may be any but 1xx and 3xx. */
export interface OutboundResponse {
  readonly status: number;
  /** Lower-case names; empty if the answer names none. */
  readonly contentType: string;
  readonly body: Uint8Array;
}

/**
 * The only way to hosts that founders, users or vendors name. It asks public hosts by HTTPS only: the name is resolved once, every
 * address checked, and the connection goes to the address that was checked. It follows no redirect, uses no proxy, and bounds the
 * size of headers and body and the time of the whole.
 */
export class OutboundFetcher {
  readonly #options: OutboundFetcherOptions;
  readonly #semaphore = new Semaphore(MAX_CONCURRENT);
  readonly #hosts = new HostSlots(MAX_CONCURRENT_PER_HOST);

  constructor(options: OutboundFetcherOptions) {
    this.#options = options;
  }

  /** Says why a URL can't be asked, as a text for people; undefined if it can. What its host resolves to is checked later. */
  urlProblem(url: string): string | undefined {
    return checkOutboundUrl(url, this.#options);
  }

  /** @throws OutboundFault; the signal's reason once that is aborted */
  async send(request: OutboundRequest, signal?: AbortSignal): Promise<OutboundResponse> {
    const url = this.#checked(request.url);
    const deadline = new AbortController();
    const late = new OutboundFault("timeout", `${url.host} didn't answer within ${request.deadlineMs} ms`);
    const timer = setTimeout(() => deadline.abort(late), request.deadlineMs);
    const either = signal === undefined ? deadline.signal : AbortSignal.any([signal, deadline.signal]);
    try {
      const send = () => this.#send(url, request, either);
      const inTurn = () => this.#hosts.run(url.host, () => this.#semaphore.run(send, either), either);
      return await traceHttpRequest(request.method, url, inTurn);
    } catch (error) {
      if (either.aborted) throw either.reason;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #checked(text: string): URL {
    const problem = this.urlProblem(text);
    if (problem === undefined) return new URL(text);
    throw new OutboundFault("blocked", `the URL ${problem}`);
  }

  async #send(url: URL, request: OutboundRequest, signal: AbortSignal): Promise<OutboundResponse> {
    const { resolve = resolveBySystem, loopback } = this.#options;
    const addresses = await untilAborted(pinnedAddresses(url, resolve, loopback), signal);
    const response = await this.#firstAnswer(url, addresses, request, signal);
    try {
      checkHead(response, url);
      const body = await readBody(response, request.maxBytes, url.host);
      return { status: response.statusCode ?? 0, contentType: response.headers["content-type"] ?? "", body };
    } finally {
      response.destroy();
    }
  }

  /** Sends the request to the first address that takes the connection: not every network has IPv6, or IPv4. */
  async #firstAnswer(
    url: URL,
    [address = "", ...others]: readonly string[],
    request: OutboundRequest,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    try {
      return await this.#exchange(url, address, request, signal);
    } catch (error) {
      if (others.length === 0 || signal.aborted || !wasNotConnected(error)) throw error;
      return this.#firstAnswer(url, others, request, signal);
    }
  }

  /** Sends the request. @returns the answer, without its body */
  #exchange(url: URL, address: string, request: OutboundRequest, signal: AbortSignal): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const options = { ...requestOptions(url, address, request), signal };
    const sent =
      url.protocol === "https:"
        ? requestByHttps({ ...options, ...this.#tls(url) })
        : requestByHttp({ ...options, agent: new HttpAgent(WITHOUT_PROXY) });
    sent.on("response", resolve);
    // A switch of protocols nobody asked for.
    sent.on("upgrade", (_, socket) => {
      socket.destroy();
      reject(new OutboundFault("malformed", `${url.host} doesn't answer by HTTP`));
    });
    sent.on("error", (error) => reject(faultOf(error, url)));
    sent.end(request.body);
    return promise;
  }

  /** The certificate must be for the URL's host, whatever the address. */
  #tls(url: URL): RequestOptions {
    const { ca } = this.#options;
    const host = hostOf(url);
    const agent = new HttpsAgent(WITHOUT_PROXY);
    return { agent, servername: isIP(host) === 0 ? host : "", ...(ca !== undefined && { ca }) };
  }
}

function requestOptions(url: URL, address: string, { method, headers, body }: OutboundRequest): RequestOptions {
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  return {
    method,
    host: address,
    port: url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port),
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, ...length, host: url.host, "accept-encoding": "identity" },
    maxHeaderSize: MAX_HEADER_BYTES,
  };
}

/** @throws OutboundFault for headers that are too large, a redirect, and a body that would have to be decompressed */
function checkHead({ statusCode = 0, rawHeaders, headers }: IncomingMessage, { host }: URL): void {
  const bytes = rawHeaders.reduce((sum, part) => sum + part.length, 0);
  // Node stops there by itself; Deno doesn't.
  if (bytes > MAX_HEADER_BYTES) throw headersTooLarge(host);
  if (statusCode >= 300 && statusCode < 400) {
    throw new OutboundFault("malformed", `${host} redirects, which isn't followed: enter the final URL`);
  }
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding !== "identity")
    throw new OutboundFault("malformed", `${host} compresses its answer without being asked to`);
}

/** Whether nothing was sent, because there was no connection. */
function wasNotConnected(error: unknown): boolean {
  const { cause } = Object(error);
  return NOT_CONNECTED.has(Object(cause)["code"]);
}

function faultOf(error: NodeJS.ErrnoException, { host }: URL): OutboundFault {
  if (error.code === "HPE_HEADER_OVERFLOW") return headersTooLarge(host);
  if (error.code?.startsWith("HPE_")) return new OutboundFault("malformed", `${host} doesn't answer by HTTP`);
  return new OutboundFault("unreachable", `${host} can't be reached, or has no valid certificate`, { cause: error });
}

function headersTooLarge(host: string): OutboundFault {
  return new OutboundFault("too_large", `${host} sends more than ${MAX_HEADER_BYTES} bytes of headers`);
}
