import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { type ConnectRouter, type ConnectRouterOptions, createServiceImplSpec } from "@connectrpc/connect";
import { boundLifetime } from "../answer-lifetime.ts";
import { clientGone } from "../client-gone.ts";
import { boundDeadline, type DeadlineLimits } from "../deadline.ts";
import { discardBody } from "../discard-body.ts";
import { outgoingHeaders } from "../outgoing-headers.ts";
import { headersOf, type NodeRequest, type NodeResponse } from "../universal-request.ts";
import { CallContext, type UnarySpec } from "./call-context.ts";
import { MAX_MESSAGE_BYTES, type PlainAnswer, PlainMethod } from "./plain-method.ts";
import { isPlainRequest } from "./plain-request.ts";

/** The parts of Connect's options for handlers that concern plain unary calls. */
export type PlainUnaryOptions = Pick<
  ConnectRouterOptions,
  "interceptors" | "requestGate" | "readMaxBytes" | "shutdownSignal" | "jsonOptions"
>;

/**
 * Answers the unary calls that our own clients make, whose requests are all of one kind (`isPlainRequest`), as Connect's handlers
 * would, at a fraction of their CPU time; `docs/decisions.md` has the figures.
 */
export class PlainUnary {
  readonly #options: PlainUnaryOptions;
  readonly #deadline: DeadlineLimits;
  readonly #maxBytes: number;
  /** By path. */
  readonly #methods = new Map<string, PlainMethod>();
  readonly #running = new Set<CallContext>();

  constructor(options: PlainUnaryOptions, deadline: DeadlineLimits) {
    this.#options = options;
    this.#deadline = deadline;
    this.#maxBytes = options.readMaxBytes ?? MAX_MESSAGE_BYTES;
    options.shutdownSignal?.addEventListener("abort", () => {
      for (const context of this.#running) context.abort(options.shutdownSignal?.reason);
    });
  }

  /** Returns a router that adds services to `router`, and their unary methods here. */
  routerBeside(router: ConnectRouter): ConnectRouter {
    const beside: ConnectRouter = {
      handlers: router.handlers,
      service: (service, implementation, options) => {
        router.service(service, implementation, options);
        const specs = Object.values(createServiceImplSpec(service, implementation).methods);
        const { jsonOptions = this.#options.jsonOptions, ...others } = options ?? {};
        // Other options of a service's own are Connect's to follow.
        const isPlain = Object.keys(others).length === 0;
        if (isPlain) for (const spec of specs) if (spec.kind === "unary") this.#add(spec, jsonOptions);
        return beside;
      },
      // These stay with Connect alone. We have none.
      rpc: (method, implementation, options) => {
        router.rpc(method, implementation, options);
        return beside;
      },
    };
    return beside;
  }

  /**
   * Answers a plain request for a unary method.
   *
   * @param path of the method: `/`, the service's full name, `/` and the method's name
   * @returns undefined, with nothing done, for any other request
   */
  answer(path: string, request: NodeRequest, response: NodeResponse): Promise<void> | undefined {
    const method = this.#methods.get(path);
    if (method === undefined || !isPlainRequest(request, this.#maxBytes)) return undefined;
    return this.#answer(method, request, response as ServerResponse<IncomingMessage>);
  }

  #add(spec: UnarySpec, jsonOptions: ConnectRouterOptions["jsonOptions"]): void {
    const { requestGate = () => undefined, interceptors = [] } = this.#options;
    const { parent, name } = spec.method;
    const options = { requestGate, interceptors, jsonOptions, maxBytes: this.#maxBytes };
    this.#methods.set(`/${parent.typeName}/${name}`, new PlainMethod(spec, options));
  }

  async #answer(method: PlainMethod, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const requestHeader = headersOf(request);
    const timeoutMs = boundDeadline(requestHeader, this.#deadline);
    boundLifetime(response, timeoutMs);
    const context = new CallContext({ method: method.desc, url: urlOf(request), requestHeader, timeoutMs });
    response.once("close", () => {
      // Only so that no error is made for each call that is answered.
      if (!response.writableFinished) context.abort(clientGone());
    });
    const { shutdownSignal } = this.#options;
    if (shutdownSignal?.aborted) context.abort(shutdownSignal.reason);
    this.#running.add(context);
    const answer = await method.answer(context, request).finally(() => this.#running.delete(context));
    if (!request.complete) await discardBody(request);
    if (!request.complete) response.shouldKeepAlive = false;
    response.writeHead(answer.status, headersFor(answer));
    response.end(answer.body);
  }
}

function headersFor({ contentType, body, header }: PlainAnswer): OutgoingHttpHeaders {
  return { "content-type": contentType, ...(header && outgoingHeaders(header)), "content-length": body.byteLength };
}

function urlOf({ socket, headers: { host }, url = "" }: IncomingMessage): string {
  return `${"encrypted" in socket ? "https" : "http"}://${host}${url}`;
}
