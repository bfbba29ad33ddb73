import { setTimeout as wait } from "node:timers/promises";
import { create, type DescMessage, type Message, type Registry, toBinary } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { ConnectError, type ConnectRouter, type HandlerContext } from "@connectrpc/connect";
import { boundDeadline } from "../../common/platform/rpc/server/deadline.ts";
import type {
  AskedError,
  AskedStream,
  AskedUnary,
  BidiRequest,
  HeaderField,
  StreamRequest,
  UnaryRequest,
} from "./conformance-messages.ts";

/**
 * Time-out of calls that set none, in milliseconds. Our servers give each call one; the suite wants those reported that it set
 * itself, which are all shorter.
 */
export const DEFAULT_TIMEOUT_MS = 3_600_000;

const PACKAGE = "connectrpc.conformance.v1";

/** Facts about the request that an answer contains. */
interface RequestInfo {
  readonly requests: readonly Message[];
  /** Undefined in later answers of a stream. */
  readonly context?: HandlerContext;
}

/**
 * Adds the suite's service to a router: its handlers answer what each request asks for, as the comments in the suite's
 * `service.proto` say. `Unimplemented` stays without a handler.
 */
export function addConformanceService(router: ConnectRouter, registry: Registry): void {
  const service = registry.getService(`${PACKAGE}.ConformanceService`);
  if (service === undefined) throw new Error("the suite's protos have no ConformanceService");
  const messages = new ConformanceMessages(registry);
  // The service is known at run time only, and so are the types of its handlers.
  router.service(service, handlers(messages) as object, { jsonOptions: { registry } });
}

function handlers(messages: ConformanceMessages) {
  const unary = async (request: UnaryRequest, context: HandlerContext) =>
    messages.answer(
      `${request.$typeName.replace(/Request$/, "")}Response`,
      request.responseDefinition,
      [request],
      context,
    );
  return {
    unary,
    idempotentUnary: unary,
    async clientStream(requests: AsyncIterable<UnaryRequest>, context: HandlerContext) {
      const received = await Array.fromAsync(requests);
      return messages.answer(`${PACKAGE}.ClientStreamResponse`, received[0]?.responseDefinition, received, context);
    },
    async *serverStream(request: StreamRequest, context: HandlerContext) {
      yield* messages.answers("ServerStreamResponse", request.responseDefinition, [request], context);
    },
    async *bidiStream(requests: AsyncIterable<BidiRequest>, context: HandlerContext) {
      const [first, others] = await takeFirst(requests);
      if (first?.fullDuplex) return yield* messages.answersInTurn(first, others, context);
      const received = first === undefined ? [] : [first, ...(await Array.fromAsync(others))];
      yield* messages.answers("BidiStreamResponse", first?.responseDefinition, received, context);
    },
  };
}

async function takeFirst<T>(items: AsyncIterable<T>): Promise<[T | undefined, AsyncIterable<T>]> {
  const iterator = items[Symbol.asyncIterator]();
  const first = await iterator.next();
  return [first.done ? undefined : first.value, { [Symbol.asyncIterator]: () => iterator }];
}

/** Creates the suite's answers and errors. */
class ConformanceMessages {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** The one answer to a call. @throws ConnectError that the definition asks for */
  async answer(
    typeName: string,
    asked: AskedUnary | undefined,
    requests: readonly Message[],
    context: HandlerContext,
  ): Promise<Message> {
    const info = { requests, context };
    setHeaders(asked, context);
    await wait(asked?.responseDelayMs ?? 0);
    if (asked?.response.case === "error") throw this.#error(asked.response.value, info);
    return this.#response(typeName, asked?.response.value ?? new Uint8Array(), info);
  }

  /** The answers of a stream, the first with what is known of the request. @throws ConnectError that the definition asks for */
  async *answers(
    name: string,
    asked: AskedStream | undefined,
    requests: readonly Message[],
    context: HandlerContext,
    answered = 0,
  ): AsyncGenerator<Message> {
    if (asked === undefined) return;
    if (answered === 0) setHeaders(asked, context);
    for (const [index, data] of asked.responseData.entries()) {
      if (index < answered) continue;
      await wait(asked.responseDelayMs);
      yield this.#response(`${PACKAGE}.${name}`, data, index === 0 ? { requests, context } : undefined);
    }
    if (asked.error === undefined) return;
    const hasAnswered = asked.responseData.length > 0;
    throw this.#error(asked.error, hasAnswered ? undefined : { requests, context });
  }

  /** One answer to each request, as long as there are answers; then those that are left. */
  async *answersInTurn(
    first: BidiRequest,
    others: AsyncIterable<BidiRequest>,
    context: HandlerContext,
  ): AsyncGenerator<Message> {
    const asked = first.responseDefinition;
    if (asked === undefined) return;
    let answered = 0;
    for await (const request of prepend(first, others)) {
      const data = asked.responseData[answered];
      if (data === undefined) break;
      if (answered === 0) setHeaders(asked, context);
      await wait(asked.responseDelayMs);
      const requests = [request];
      yield this.#response(
        `${PACKAGE}.BidiStreamResponse`,
        data,
        answered === 0 ? { requests, context } : { requests },
      );
      answered += 1;
    }
    yield* this.answers("BidiStreamResponse", asked, [first], context, answered);
  }

  #response(typeName: string, data: Uint8Array, info: RequestInfo | undefined): Message {
    const requestInfo = info === undefined ? undefined : this.#requestInfo(info);
    return create(this.#descriptor(typeName), { payload: { data, requestInfo } });
  }

  #error({ code, message, details }: AskedError, info: RequestInfo | undefined): ConnectError {
    const error = new ConnectError(message ?? "", code);
    error.details = details.map(({ typeUrl, value }) => ({ type: typeUrl.slice(typeUrl.lastIndexOf("/") + 1), value }));
    if (info === undefined) return error;
    const desc = this.#descriptor(`${PACKAGE}.ConformancePayload.RequestInfo`);
    const value = toBinary(desc, create(desc, this.#requestInfo(info)));
    error.details.push({ type: desc.typeName, value });
    return error;
  }

  #requestInfo({ requests, context }: RequestInfo) {
    const packed = requests.map((request) => anyPack(this.#descriptor(request.$typeName), request));
    if (context === undefined) return { requests: packed };
    return {
      requests: packed,
      requestHeaders: headerFields(context.requestHeader),
      timeoutMs: setTimeoutMs(context),
      connectGetInfo:
        context.requestMethod === "GET" ? { queryParams: headerFields(new URL(context.url).searchParams) } : undefined,
    };
  }

  #descriptor(typeName: string): DescMessage {
    const descriptor = this.#registry.getMessage(typeName);
    if (descriptor === undefined) throw new Error(`the suite's protos have no ${typeName}`);
    return descriptor;
  }
}

async function* prepend<T>(first: T, others: AsyncIterable<T>): AsyncGenerator<T> {
  yield first;
  yield* others;
}

/** The time-out that the client set, in whole milliseconds. Not what is left of it, which depends on how busy the machine is. */
function setTimeoutMs({ requestHeader }: HandlerContext): bigint | undefined {
  const limits = { defaultMs: DEFAULT_TIMEOUT_MS, maxMs: DEFAULT_TIMEOUT_MS };
  const timeoutMs = boundDeadline(new Headers(requestHeader), limits);
  return timeoutMs < DEFAULT_TIMEOUT_MS ? BigInt(Math.round(timeoutMs)) : undefined;
}

function setHeaders(asked: AskedUnary | AskedStream | undefined, context: HandlerContext): void {
  appendAll(context.responseHeader, asked?.responseHeaders ?? []);
  appendAll(context.responseTrailer, asked?.responseTrailers ?? []);
}

function appendAll(headers: Headers, fields: readonly HeaderField[]): void {
  for (const { name, value } of fields) for (const each of value) headers.append(name, each);
}

function headerFields(entries: Iterable<[string, string]>): { name: string; value: string[] }[] {
  return Array.from(entries, ([name, value]) => ({ name, value: [value] }));
}
