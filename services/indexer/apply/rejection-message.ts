import { Code, ConnectError } from "@connectrpc/connect";

/** What asking again doesn't change: a setting, or what was sent, has to. */
const LASTING: ReadonlySet<Code> = new Set([
  Code.InvalidArgument,
  Code.FailedPrecondition,
  Code.OutOfRange,
  Code.ResourceExhausted,
  Code.PermissionDenied,
  Code.Unauthenticated,
  Code.Unimplemented,
]);

/** Why the commitments service hasn't taken a reading, in words for the sale's fault; its own where they help. */
export function refusalWords(error: unknown): string {
  const { code, rawMessage } = ConnectError.from(error);
  if (!LASTING.has(code)) return "the reading could not be applied; it is tried again";
  return `the commitments service refuses what was read (${rawMessage}): have the operator compare its settings with the indexer's`;
}
