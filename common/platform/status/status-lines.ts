import { utcTime } from "../encoding/utc-time.ts";
import type { Measurement, ProcessStatus } from "./process-status.ts";
import { STATUS_METRICS, type StatusMetric } from "./status-metrics.ts";

/** A judgement. `note` is for information only. */
export type StatusLevel = "well" | "wrong" | "note";

/** One fact with its judgement. */
export interface StatusLine {
  readonly level: StatusLevel;
  readonly subject: string;
  readonly text: string;
}

/** Judges a process: its readiness first, then its measurements. @param subject names the process in each line */
export function processLines(status: ProcessStatus, subject: string = processName(status)): readonly StatusLine[] {
  return [readinessLine(status, subject), ...status.measurements.flatMap((each) => measurementLine(each, subject))];
}

/** The name of a process, such as `auth tidemark-auth-0/1`. */
export function processName({ service, instance }: Pick<ProcessStatus, "service" | "instance">): string {
  return `${service} ${instance}`.trim();
}

function readinessLine({ version, runtime, startedAtMs, notReady }: ProcessStatus, subject: string): StatusLine {
  const runs = `version ${version}, ${runtime}, since ${utcTime(new Date(startedAtMs))}`;
  if (notReady.length === 0) return { level: "well", subject, text: `ready; ${runs}` };
  const reasons = notReady.map(({ name, reason }) => `${name}: ${reason}`).join("; ");
  return { level: "wrong", subject, text: `not ready: ${reasons}; ${runs}` };
}

/** Returns no line for a metric that this version doesn't show, as a process of another version may have. */
function measurementLine({ metric, labels, value }: Measurement, subject: string): readonly StatusLine[] {
  const shown = STATUS_METRICS.find((each) => each.metric === metric);
  if (shown === undefined) return [];
  const of = Object.entries(labels).map(([name, label]) => `${name.replaceAll("_", " ")} ${label}`);
  const words = `${[...of, shown.words].join(", ")}:`;
  if (Number.isNaN(value)) return [{ level: "wrong", subject, text: `${words} can't be read` }];
  const number = shown.unit === "s" ? `${Math.round(value * 10) / 10} s` : `${value}`;
  const [level, limit] = judge(shown, value);
  return [{ level, subject, text: `${words} ${number}${limit}` }];
}

function judge({ wrongAbove, wrongBelow, unit }: StatusMetric, value: number): readonly [StatusLevel, string] {
  const suffix = unit === undefined ? "" : ` ${unit}`;
  // A clock may be behind as well as ahead; nothing else is negative.
  if (wrongAbove !== undefined && Math.abs(value) > wrongAbove) return ["wrong", `; at most ${wrongAbove}${suffix}`];
  if (wrongBelow !== undefined && value < wrongBelow) return ["wrong", `; at least ${wrongBelow}${suffix}`];
  return ["well", ""];
}
