import { Code, ConnectError, type Interceptor, type StreamResponse } from "@connectrpc/connect";
import { ServiceError } from "../errors/service-error.ts";
import type { Logger } from "../log/log.ts";
import { toConnectError } from "./errors.ts";

/** Maps anything that a call threw to a `ConnectError`, and logs internal errors. */
export type MapError = (error: unknown) => ConnectError;

interface Call {
  readonly service: { readonly typeName: string };
  readonly method: { readonly name: string };
  readonly signal: AbortSignal;
}

/** The mapping of errors for one call; see `toConnectError`. */
export function errorMapper(logger: Logger, { service, method, signal }: Call): MapError {
  return (error) =>
    toConnectError(causeOfAbort(error, signal), (errorId, internal) => {
      logger.error(
        { error_id: errorId, rpc_service: service.typeName, rpc_method: method.name, err: internal },
        "call failed",
      );
    });
}

/**
 * The reason of the abort, if the call's signal is aborted, whatever was thrown: drivers wrap the reason or throw errors
 * of their own.
 */
function causeOfAbort(error: unknown, signal: AbortSignal): unknown {
  if (!signal.aborted || error instanceof ServiceError) return error;
  return signal.reason instanceof ConnectError ? signal.reason : new ConnectError("canceled", Code.Canceled);
}

/**
 * Maps the errors of handlers and inner interceptors, also while a response streams. Connect reads the messages of a
 * stream inside the interceptors: its own errors about them (too large, malformed) stay as they are, as those of unary
 * calls do, which it throws outside.
 */
export function createErrorInterceptor(logger: Logger): Interceptor {
  return (next) => async (request) => {
    const readErrors = new WeakSet<ConnectError>();
    const mapOther = errorMapper(logger, request);
    const mapError: MapError = (error) => {
      const isReadError = error instanceof ConnectError && readErrors.has(error) && !request.signal.aborted;
      return isReadError ? error : mapOther(error);
    };
    try {
      const response = await next(
        request.stream ? { ...request, message: noteErrors(request.message, readErrors) } : request,
      );
      return response.stream ? { ...response, message: mapStream(response.message, mapError) } : response;
    } catch (error) {
      throw mapError(error);
    }
  };
}

async function* mapStream(messages: StreamResponse["message"], mapError: MapError): StreamResponse["message"] {
  try {
    yield* messages;
  } catch (error) {
    throw mapError(error);
  }
}

async function* noteErrors<Message>(
  messages: AsyncIterable<Message>,
  errors: WeakSet<ConnectError>,
): AsyncIterable<Message> {
  try {
    yield* messages;
  } catch (error) {
    if (error instanceof ConnectError) errors.add(error);
    throw error;
  }
}
