import type { SourceStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { type Progress, progressLine } from "../output/progress-line.ts";
import { terminalText } from "../output/terminal-text.ts";

/** The state of a requested sweep. */
export type SweepState =
  | { readonly kind: "waiting" }
  | { readonly kind: "running" }
  | { readonly kind: "fault"; readonly fault: string }
  | { readonly kind: "done"; readonly rows: bigint };

/**
 * The number of a request that hasn't been handled, because no reader has begun or a sweep is running; undefined if there is
 * none, so that a new one must be made.
 */
export function pendingRequest(status: SourceStatus | undefined): bigint | undefined {
  if (status === undefined || status.sweepRequests === 0n) return undefined;
  const { running, answered } = sweepOf(status);
  return running || answered < status.sweepRequests ? status.sweepRequests : undefined;
}

/** The state of the sweep for a request. After a fault the reader starts the sweep again, so it isn't done. */
export function sweepState(status: SourceStatus | undefined, request: bigint): SweepState {
  if (status === undefined) return { kind: "waiting" };
  const { running, answered, rowsDone } = sweepOf(status);
  if (running) return { kind: "running" };
  if (status.fault !== "") return { kind: "fault", fault: status.fault };
  return answered >= request ? { kind: "done", rows: rowsDone } : { kind: "waiting" };
}

/** A line for people, with the progress if the sweep is running. */
export function sweepLine(state: SweepState, progress: Progress): string {
  switch (state.kind) {
    case "waiting":
      return "waiting for the sale's reader to start";
    case "running":
      return progressLine(progress);
    case "fault":
      return `the source can't be read, the reader will try again: ${terminalText(state.fault)}`;
    case "done":
      return progressLine({ rowsDone: state.rows, rowsTotal: state.rows, rowsPerSecond: undefined });
  }
}

function sweepOf({ sweep }: SourceStatus) {
  return { running: sweep?.running ?? false, answered: sweep?.sweepRequests ?? 0n, rowsDone: sweep?.rowsDone ?? 0n };
}
