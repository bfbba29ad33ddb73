import { type Timestamp, timestampDate, timestampMs } from "@bufbuild/protobuf/wkt";
import { utcTime } from "../../../common/platform/encoding/utc-time.ts";
import { heightRead } from "../../../common/sale/state/height-read.ts";
import { countText } from "../../../common/sale/words/number-text.ts";
import { sourceFault, sourceFaultWords } from "../../../common/sale/words/source-fault.ts";
import {
  type FeedState,
  type Sale,
  SaleStatus,
  type SourceStatus,
  type SweepProgress,
} from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { Style } from "../output/paint.ts";
import { terminalText } from "../output/terminal-text.ts";

type Row = readonly [string, string];

/** The state of reading a sale's source, in a word or two, and its style; none where nothing is wrong. */
export function sourceSummary(sale: Sale): readonly [summary: string, style?: Style] {
  if (sale.definition?.source.case === undefined) return ["by RPC"];
  if (sale.status === SaleStatus.WITHDRAWN) return ["not read"];
  const { sourceStatus: status } = sale;
  if (status !== undefined && status.fault !== "") return ["fault", "red"];
  if (status?.sweep?.running === true) return ["sweep"];
  if (!sale.hasSnapshot) return ["no snapshot"];
  const fault = sourceFaultWords(sale.feedState?.fault);
  if (status === undefined || fault !== undefined) return [fault?.summary ?? "no reader yet", "yellow"];
  if (status.warning !== "") return ["warning", "yellow"];
  return [status.behind === 0n ? "up to date" : `${countText(status.behind)} behind`];
}

/** The state of reading a sale's source, in detail; empty for a sale without one. */
export function sourceStatusRows(sale: Sale, nowMillis: number): Row[] {
  if (sale.definition?.source.case === undefined) return [];
  // A withdrawn sale has no snapshot and no lease, which would read as faults.
  if (sale.status === SaleStatus.WITHDRAWN) return [["Reader", "none; the sale is withdrawn"]];
  const status = sale.sourceStatus;
  if (status === undefined) return [...positionRows(sale), ["Reader", "none yet"]];
  return [
    ...positionRows(sale),
    ...asOfRows(sale.feedState),
    ["Behind", behindText(sale, status)],
    ["Reader", lastReport(status.checkedAt, nowMillis)],
    ["Fault", faultText(sale)],
    ["Warning", terminalText(status.warning) || "none"],
    ["Sweep", sweepText(status)],
  ];
}

/** Up to which block the figures are those of the contract, and when this was last confirmed. */
function asOfRows(feedState: FeedState | undefined): Row[] {
  const { position, blockTime, lastSuccess } = feedState?.asOf ?? {};
  if (position === undefined || lastSuccess === undefined) return [];
  const time = blockTime === undefined ? "" : ` of ${utcTime(timestampDate(blockTime))}`;
  return [
    ["As of", `block ${countText(position.height)}${time}; last confirmed at ${utcTime(timestampDate(lastSuccess))}`],
  ];
}

/** The time that has passed since the figures were confirmed, and the blocks that the chain was ahead then. */
function behindText(sale: Sale, status: SourceStatus): string {
  const blocks = `${countText(status.behind)} blocks, the chain was seen at ${countText(headHeight(sale, status))}`;
  const { asOf, behind, final = false } = sale.feedState ?? {};
  if (final) return `${blocks}; settled, nothing can change any more`;
  return asOf === undefined || behind === undefined ? blocks : `${countText(behind.seconds)} s; ${blocks}`;
}

/** The fault because of which a sale's source can't be read, with advice; `none` if there is none. */
export function faultText(sale: Sale): string {
  const fault = sourceFault(sale);
  if (fault === undefined) return "none";
  if ("reported" in fault) return terminalText(fault.reported);
  return `${fault.words.sentence} ${fault.words.adviceForOperators}`.trim();
}

/** The head of the chain. The source may have been read further than the head in the last report. */
function headHeight(sale: Sale, { headHeight }: SourceStatus): bigint {
  const read = heightReadOf(sale);
  return read !== undefined && read > headHeight ? read : headHeight;
}

function heightReadOf({ sourcePosition, feedState }: Sale): bigint | undefined {
  return heightRead(sourcePosition, feedState?.asOf?.position);
}

function positionRows(sale: Sale): Row[] {
  const { hasSnapshot, changeSetOpen } = sale;
  const read = heightReadOf(sale);
  const height = read === undefined ? "nothing" : countText(read);
  return [
    ["Read up to", hasSnapshot ? height : `${height}; there is no complete snapshot yet, so nothing is shown`],
    ...(changeSetOpen ? ([["Change set", "open: readers see the state before it"]] as const) : []),
  ];
}

function lastReport(checkedAt: Timestamp | undefined, nowMillis: number): string {
  // A request for a sweep creates a status before any reader reports.
  if (checkedAt === undefined || timestampMs(checkedAt) === 0) return "none yet";
  return `reported ${Math.max(0, Math.round((nowMillis - timestampMs(checkedAt)) / 1_000))} s ago`;
}

function sweepText({ sweep, sweepRequests }: SourceStatus): string {
  const isRequested = sweepRequests > (sweep?.sweepRequests ?? 0n);
  return `${sweep === undefined ? "none yet" : progressText(sweep)}${isRequested ? "; another one was requested" : ""}`;
}

function progressText({ rowsDone, rowsTotal, running }: SweepProgress): string {
  if (!running && rowsTotal === 0n) return "none is running";
  const rows = `${countText(rowsDone)} of ${countText(rowsTotal)} rows`;
  return running ? `running, ${rows}` : `the last one read ${rows}`;
}
