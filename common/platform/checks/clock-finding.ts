import {
  CLOCK_BOUNDS,
  certainDifferenceMs,
  clockDifference,
  clockDifferenceText,
  clockLevel,
} from "../clock/clock-difference.ts";
import { readClock } from "../clock/read-clock.ts";
import { failed, ok, type ProbeFinding, warning } from "./finding.ts";

const REMEDY = "keep both clocks right by NTP";

/**
 * Compares this process's clock with another by the rule of a process that runs: see `ClockWatch`.
 *
 * @param comparedWith the owner of the other clock, such as `auth database`
 * @param readOther returns milliseconds since 1970
 * @param nowMs this process's clock: milliseconds since 1970
 */
export async function clockFinding(
  comparedWith: string,
  readOther: () => Promise<number>,
  nowMs: () => number,
): Promise<ProbeFinding> {
  const difference = clockDifference(await readClock(readOther, nowMs));
  if (difference === undefined)
    return warning(`the clock of the ${comparedWith} can't be read`, "compare it otherwise");
  const level = clockLevel(certainDifferenceMs(difference));
  const text = clockDifferenceText(difference, comparedWith);
  if (level === "unready")
    return failed(`${text}; beyond ${CLOCK_BOUNDS.unready / 1_000} s a process isn't ready`, REMEDY);
  if (level !== "fine") return warning(text, REMEDY);
  return ok(`this process's clock agrees with that of the ${comparedWith}`);
}
