import { Code, ConnectError } from "@connectrpc/connect";
import { RETRY_AFTER, toServiceError } from "./errors.ts";

/** How a call failed, as a part of an answer that tells of several. Violations are left out. */
export interface CallFailure {
  /** A gRPC status code. */
  readonly code: number;
  readonly message: string;
  readonly retryAfterSeconds?: number | undefined;
}

/** @param error as `toConnectError` gives it: nothing of it is hidden here. */
export function toCallFailure(error: ConnectError): CallFailure {
  const { retryAfterSeconds } = toServiceError(error) ?? {};
  const failure = { code: error.code, message: error.rawMessage };
  return retryAfterSeconds === undefined ? failure : { ...failure, retryAfterSeconds };
}

/** The error that a call of its own would have thrown. */
export function fromCallFailure({ code, message, retryAfterSeconds }: CallFailure): ConnectError {
  const metadata = retryAfterSeconds === undefined ? {} : { [RETRY_AFTER]: String(retryAfterSeconds) };
  return new ConnectError(message, Code[code] === undefined ? Code.Unknown : code, metadata);
}
