import { TidemarkError } from "../../../client/index.ts";
import { meaningOfError } from "./answer-texts.ts";
import type { RecordCall, TracedCall } from "./traced-fetch.ts";
import { addStep, type Step, type Visit } from "./visits.ts";

type Run<Result> = (record: RecordCall) => Promise<Result>;

export interface StepPlan<Result> extends Pick<Step, "title" | "code"> {
  readonly run: Run<Result>;
  /** Says what a result means. */
  readonly meaning?: (result: Result) => string | undefined;
}

/**
 * Runs a step and adds it to the visit with its calls and its failure, if any.
 *
 * @returns the result; undefined after a failure
 */
export async function perform<Result>(visit: Visit, plan: StepPlan<Result>): Promise<Result | undefined> {
  const { title, code, run } = plan;
  const calls: TracedCall[] = [];
  const shown = { title, calls, ...(code !== undefined && { code }) };
  try {
    const result = await run((call) => calls.push(call));
    const meaning = plan.meaning?.(result);
    addStep(visit, { ...shown, ...(meaning !== undefined && { meaning }) });
    return result;
  } catch (error) {
    addStep(visit, { ...shown, problem: problemOf(error) });
    return undefined;
  }
}

function problemOf(error: unknown): string {
  if (error instanceof TidemarkError) return [`${error.code}: ${error.message}`, ...meaningOfError(error)].join(" ");
  return error instanceof Error ? error.message : String(error);
}
