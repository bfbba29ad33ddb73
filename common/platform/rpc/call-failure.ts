import { Code, ConnectError } from "@connectrpc/connect";
import { RETRY_AFTER, toServiceError } from "./errors.ts";

/** The failure of one of several calls, as a part of their common response. It has no violations. */
export interface CallFailure {
  /** A gRPC status code. */
  readonly code: number;
  readonly message: string;
  readonly retryAfterSeconds?: number | undefined;
}

/** @param error made by `toConnectError`; nothing of it is hidden here */
export function toCallFailure(error: ConnectError): CallFailure {
  const { retryAfterSeconds } = toServiceError(error) ?? {};
  const failure = { code: error.code, message: error.rawMessage };
  return retryAfterSeconds === undefined ? failure : { ...failure, retryAfterSeconds };
}

/** The error that a separate call would have thrown. */
export function fromCallFailure({ code, message, retryAfterSeconds }: CallFailure): ConnectError {
  const metadata = retryAfterSeconds === undefined ? {} : { [RETRY_AFTER]: String(retryAfterSeconds) };
  return new ConnectError(message, Code[code] === undefined ? Code.Unknown : code, metadata);
}
