import type { SourceStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { plainText } from "./plain-text.ts";
import { type Progress, progressLine } from "./progress-line.ts";

/** How far the sweep that was asked for is. */
export type SweepState =
  | { readonly kind: "waiting" }
  | { readonly kind: "running" }
  | { readonly kind: "fault"; readonly fault: string }
  | { readonly kind: "done"; readonly rows: bigint };

/**
 * The number of the request that a new call joins: one that nobody has begun yet, or whose sweep is running.
 * Undefined: a new one has to be made.
 */
export function pendingRequest(status: SourceStatus | undefined): bigint | undefined {
  if (status === undefined || status.sweepRequests === 0n) return undefined;
  const { running, answered } = sweepOf(status);
  return running || answered < status.sweepRequests ? status.sweepRequests : undefined;
}

/** A sweep that was broken off by a fault is begun again by the reader, so it isn't done while there is one. */
export function sweepState(status: SourceStatus | undefined, request: bigint): SweepState {
  if (status === undefined) return { kind: "waiting" };
  const { running, answered, rowsDone } = sweepOf(status);
  if (running) return { kind: "running" };
  if (status.fault !== "") return { kind: "fault", fault: status.fault };
  return answered >= request ? { kind: "done", rows: rowsDone } : { kind: "waiting" };
}

/** One line for people; `progress` is told while the sweep runs. */
export function sweepLine(state: SweepState, progress: Progress): string {
  switch (state.kind) {
    case "waiting":
      return "waiting for the sale's reader to begin";
    case "running":
      return progressLine(progress);
    case "fault":
      return `the source can't be read, the reader tries again: ${plainText(state.fault)}`;
    case "done":
      return progressLine({ rowsDone: state.rows, rowsTotal: state.rows, rowsPerSecond: undefined });
  }
}

function sweepOf({ sweep }: SourceStatus) {
  return { running: sweep?.running ?? false, answered: sweep?.sweepRequests ?? 0n, rowsDone: sweep?.rowsDone ?? 0n };
}
