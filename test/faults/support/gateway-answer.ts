import { Code, ConnectError } from "@connectrpc/connect";

const AWAY: ReadonlySet<number> = new Set([429, 503, 504]);

/**
 * An answer of a gateway that is one.
 *
 * @throws ConnectError `unavailable` where it says that something is away for a moment; `internal` where it is a fault
 */
export function answered<Answer extends { readonly status: number }>(answer: Answer): Answer {
  const { status } = answer;
  if (AWAY.has(status)) throw new ConnectError(`answered by ${status}`, Code.Unavailable);
  if (status >= 500) throw new ConnectError(`answered by ${JSON.stringify(answer)}`, Code.Internal);
  return answer;
}
