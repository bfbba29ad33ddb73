import type { IncomingMessage } from "node:http";
import { create, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  type ConnectRouterOptions,
  type Interceptor,
  type UnaryRequest,
  type UnaryResponse,
} from "@connectrpc/connect";
import {
  createMethodSerializationLookup,
  mergeNonProtocolHeaders,
  type Serialization,
} from "@connectrpc/connect/protocol";
import { codeToHttpStatus, errorToJsonBytes, trailerMux } from "@connectrpc/connect/protocol-connect";
import { CALL_ENDED } from "../call-end.ts";
import type { CallContext, UnarySpec } from "./call-context.ts";
import { readBody } from "./read-body.ts";

export interface PlainMethodOptions {
  /** Decides on each call before its body is read. */
  readonly requestGate: NonNullable<ConnectRouterOptions["requestGate"]>;
  /** The first one is the outermost. They must pass on the request, and return the response, that they get. */
  readonly interceptors: readonly Interceptor[];
  /** The largest request message. */
  readonly maxBytes: number;
  /** Those of errors. */
  readonly jsonOptions: ConnectRouterOptions["jsonOptions"];
}

/** A whole answer. */
export interface PlainAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: Uint8Array;
  /** Further headers, if there are any. */
  readonly header: Headers | undefined;
}

/** A request as interceptors see it, which takes the context to the implementation. */
interface PlainUnaryRequest extends UnaryRequest {
  readonly context: CallContext;
}

/** A response as interceptors see it. Its headers are made when somebody asks for them. */
class PlainUnaryResponse implements UnaryResponse {
  readonly stream = false;
  readonly message: MessageShape<DescMessage>;
  readonly #context: CallContext;

  constructor(message: MessageShape<DescMessage>, context: CallContext) {
    this.message = message;
    this.#context = context;
  }

  get service() {
    return this.#context.service;
  }

  get method() {
    return this.#context.method;
  }

  get header() {
    return this.#context.responseHeader;
  }

  get trailer() {
    return this.#context.responseTrailer;
  }
}

type Invoke = (request: PlainUnaryRequest) => Promise<UnaryResponse>;
type Messages = Serialization<MessageShape<DescMessage>>;

/** The largest message where there is no bound, as in Connect. */
export const MAX_MESSAGE_BYTES = 0xffffffff;

/** A unary method that answers plain requests. */
export class PlainMethod {
  readonly desc: UnarySpec["method"];
  readonly #requestGate: PlainMethodOptions["requestGate"];
  readonly #invoke: Invoke;
  readonly #maxBytes: number;
  readonly #input: Messages;
  readonly #output: Messages;
  readonly #jsonOptions: PlainMethodOptions["jsonOptions"];

  constructor(spec: UnarySpec, { requestGate, interceptors, maxBytes, jsonOptions }: PlainMethodOptions) {
    const limits = { readMaxBytes: maxBytes, writeMaxBytes: MAX_MESSAGE_BYTES };
    const messages = createMethodSerializationLookup(spec.method, undefined, undefined, limits);
    this.desc = spec.method;
    this.#requestGate = requestGate;
    this.#invoke = intercepted(spec, interceptors);
    this.#maxBytes = maxBytes;
    this.#input = messages.getI(true);
    this.#output = messages.getO(true);
    this.#jsonOptions = jsonOptions;
  }

  /** Answers a call. What it throws is its answer. Either ends the signal of the call. */
  async answer(context: CallContext, request: IncomingMessage): Promise<PlainAnswer> {
    try {
      await this.#requestGate(context);
      const message = this.#input.parse(await readBody(request, this.#maxBytes));
      const response = await this.#invoke(requestOf(context, message));
      if (!(response instanceof PlainUnaryResponse)) throw new TypeError("an interceptor has made another response");
      const body = this.#output.serialize(response.message);
      context.abort(CALL_ENDED);
      return { status: 200, contentType: "application/proto", body, header: metadataOf(context) };
    } catch (error) {
      context.abort(error);
      return this.#errorAnswer(context, error);
    }
  }

  /** The error's metadata become headers, unless another service has sent them. */
  #errorAnswer(context: CallContext, thrown: unknown): PlainAnswer {
    const isOurs = thrown instanceof ConnectError;
    const error = isOurs ? thrown : new ConnectError("internal error", Code.Internal, undefined, undefined, thrown);
    context.responseHeader.delete("content-type");
    if (!error.isWireError) mergeNonProtocolHeaders(context.responseHeader, error.metadata);
    const body = errorToJsonBytes(error, this.#jsonOptions);
    return { status: codeToHttpStatus(error.code), contentType: "application/json", body, header: metadataOf(context) };
  }
}

function intercepted({ method, impl }: UnarySpec, interceptors: readonly Interceptor[]): Invoke {
  const implementation: Invoke = async (request) => {
    const { message, context } = request;
    if (!isOf(context, request)) throw new TypeError("an interceptor has made another request");
    return new PlainUnaryResponse(create(method.output, await impl(message, context)), context);
  };
  type Next = ReturnType<Interceptor>;
  return interceptors.reduceRight<Next>((next, interceptor) => interceptor(next), implementation as Next) as Invoke;
}

/** Whether the implementation would see by the context what the interceptors have passed on. */
function isOf(context: CallContext | undefined, { signal, header, contextValues }: UnaryRequest): boolean {
  return context?.signal === signal && context.requestHeader === header && context.values === contextValues;
}

function requestOf(context: CallContext, message: MessageShape<DescMessage>): PlainUnaryRequest {
  const { service, method, requestMethod, url, signal, requestHeader: header, values: contextValues } = context;
  return { stream: false, service, method, requestMethod, url, signal, header, contextValues, message, context };
}

function metadataOf(context: CallContext): Headers | undefined {
  return context.hasMetadata ? trailerMux(context.responseHeader, context.responseTrailer) : undefined;
}
