import { Code, ConnectError } from "@connectrpc/connect";

/** The error of a call whose client goes before it has the whole answer. */
export function clientGone(code: Code = Code.Canceled): ConnectError {
  return new ConnectError("the client has gone", code);
}
