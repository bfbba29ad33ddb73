import { sourceFault } from "../../../common/sale/words/source-fault.ts";
import type { Sale } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { utcText } from "../../web/pages/utc-time.ts";
import { sentence } from "../base/form-errors.ts";
import type { SourceCheck } from "./check-source.ts";

/** Returns the state of an opened sale's contract, as the services know it. */
export function sourceReport(sale: Sale): SourceCheck {
  const { sourceStatus, hasSnapshot } = sale;
  const reason = faultText(sale);
  if (reason !== undefined) return { state: "bad", text: [reason, standstillText(sale)] };
  if (sourceStatus === undefined) return { state: "unknown", text: ["It hasn’t been read yet."] };
  if (!hasSnapshot) return { state: "unknown", text: ["It is being read for the first time."] };
  const { warning } = sourceStatus;
  const text = [`Read and shown, ${currentText(sale)}.`];
  return warning === "" ? { state: "good", text } : { state: "bad", text: [...text, sentence(warning)] };
}

/** Returns why the figures stand still; undefined where they don't. */
function faultText(sale: Sale): string | undefined {
  const fault = sourceFault(sale);
  if (fault === undefined) return undefined;
  return "reported" in fault
    ? sentence(fault.reported)
    : `${fault.words.sentence} ${fault.words.adviceForMembers}`.trim();
}

function standstillText({ feedState }: Sale): string {
  const since = feedState?.asOf?.lastSuccess;
  return since === undefined ? "The figures stay as they were." : `The figures stand still since ${utcText(since)}.`;
}

/** Returns how current figures are that don't stand still. */
function currentText({ sourceStatus, feedState }: Sale): string {
  const blocks = sourceStatus?.behind ?? 0n;
  if (feedState?.final) return "for good: the sale is settled, and nothing can change any more";
  const lag = blocks > 0n ? `${blocks.toLocaleString("en")} behind the chain` : "up to date";
  const height = feedState?.asOf?.position?.height;
  const seconds = feedState?.behind?.seconds;
  if (height === undefined || seconds === undefined) return lag;
  return `${lag}: as of block ${height.toLocaleString("en")}, confirmed ${secondsText(seconds)} ago`;
}

function secondsText(seconds: bigint): string {
  return seconds === 1n ? "1 second" : `${seconds.toLocaleString("en")} seconds`;
}
