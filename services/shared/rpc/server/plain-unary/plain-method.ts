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
  /** The first one is the outermost. */
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
interface ContextRequest extends UnaryRequest {
  readonly context: CallContext;
}

type Invoke = (request: ContextRequest) => Promise<UnaryResponse>;
type Messages = Serialization<MessageShape<DescMessage>>;

/** No limit but that of the protocol. */
const WRITE_MAX_BYTES = 0xffffffff;

/** A unary method that answers plain requests. */
export class PlainMethod {
  readonly desc: UnarySpec["method"];
  readonly #requestGate: PlainMethodOptions["requestGate"];
  readonly #invoke: Invoke;
  readonly #input: Messages;
  readonly #output: Messages;
  readonly #jsonOptions: PlainMethodOptions["jsonOptions"];

  constructor(spec: UnarySpec, { requestGate, interceptors, maxBytes, jsonOptions }: PlainMethodOptions) {
    const limits = { readMaxBytes: maxBytes, writeMaxBytes: WRITE_MAX_BYTES };
    const messages = createMethodSerializationLookup(spec.method, undefined, undefined, limits);
    this.desc = spec.method;
    this.#requestGate = requestGate;
    this.#invoke = intercepted(spec, interceptors);
    this.#input = messages.getI(true);
    this.#output = messages.getO(true);
    this.#jsonOptions = jsonOptions;
  }

  /** Answers a call. It never rejects: an error is an answer, and ends the context's signal as the end of the call does. */
  async answer(context: CallContext, request: IncomingMessage): Promise<PlainAnswer> {
    try {
      await this.#requestGate(context);
      const message = this.#input.parse(await readBody(request));
      const response = await this.#invoke(requestOf(context, message));
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
    if (!error.isWireError) mergeNonProtocolHeaders(context.responseHeader, error.metadata);
    const body = errorToJsonBytes(error, this.#jsonOptions);
    return { status: codeToHttpStatus(error.code), contentType: "application/json", body, header: metadataOf(context) };
  }
}

function intercepted({ method, impl }: UnarySpec, interceptors: readonly Interceptor[]): Invoke {
  const { parent: service } = method;
  const implementation: Invoke = async ({ message, context }) => ({
    ...{ stream: false, service, method, message: create(method.output, await impl(message, context)) },
    get header() {
      return context.responseHeader;
    },
    get trailer() {
      return context.responseTrailer;
    },
  });
  type Next = ReturnType<Interceptor>;
  return interceptors.reduceRight<Next>((next, interceptor) => interceptor(next), implementation as Next) as Invoke;
}

function requestOf(context: CallContext, message: MessageShape<DescMessage>): ContextRequest {
  const { service, method, requestMethod, url, signal, requestHeader, values } = context;
  const common = { service, requestMethod, url, signal, header: requestHeader, contextValues: values };
  return { ...common, stream: false, method, message, context };
}

function metadataOf(context: CallContext): Headers | undefined {
  return context.hasMetadata ? trailerMux(context.responseHeader, context.responseTrailer) : undefined;
}
