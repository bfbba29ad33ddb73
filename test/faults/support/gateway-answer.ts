import { Code, ConnectError } from "@connectrpc/connect";

const AWAY: ReadonlySet<number> = new Set([429, 503, 504]);

/**
 * Returns a response of a gateway, unless it is a server error.
 *
 * @throws ConnectError `unavailable` for a temporary error; `internal` for any other server error
 */
export function answered<Answer extends { readonly status: number }>(answer: Answer): Answer {
  const { status } = answer;
  if (AWAY.has(status)) throw new ConnectError(`answered by ${status}`, Code.Unavailable);
  if (status >= 500) throw new ConnectError(`answered by ${JSON.stringify(answer)}`, Code.Internal);
  return answer;
}
