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

/** Maps the errors of handlers and inner interceptors, also while a response streams. */
export function createErrorInterceptor(logger: Logger): Interceptor {
  return (next) => async (request) => {
    const mapError = errorMapper(logger, request);
    try {
      const response = await next(request);
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
