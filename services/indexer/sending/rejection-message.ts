import { Code, ConnectError } from "@connectrpc/connect";

/** Codes that a retry can't change: a setting or the request must change. */
const LASTING: ReadonlySet<Code> = new Set([
  Code.InvalidArgument,
  Code.FailedPrecondition,
  Code.OutOfRange,
  Code.ResourceExhausted,
  Code.PermissionDenied,
  Code.Unauthenticated,
  Code.Unimplemented,
]);

/** The text of the sale's fault if the commitments service rejects a snapshot; with the service's own message if that helps. */
export function rejectionMessage(error: unknown): string {
  const { code, rawMessage } = ConnectError.from(error);
  if (!LASTING.has(code)) return "the snapshot could not be applied; the indexer will try again";
  return `the commitments service refuses the snapshot (${rawMessage}): ask the operator to compare its settings with the indexer's`;
}
