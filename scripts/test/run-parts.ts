import { styleText } from "node:util";
import { type Counts, checkResult, type Part, type PartResult, type Reruns, skippedResult } from "./part.ts";

/** Resources that all parts share, and their common time limit. */
export interface PartsRun {
  readonly folder: string;
  /** Time limit of all parts together, in milliseconds. A part that would begin later fails without running. */
  readonly limitMs: number;
  readonly reruns: Reruns;
  /** Whether the run's command names its parts. */
  readonly isNamed?: boolean;
  /** Whether parts with two sizes run all their cases. */
  readonly hasAll?: boolean;
  /** Milliseconds from any beginning. */
  now(): number;
  print(text: string): void;
}

/** Runs the parts one after another, whatever comes of each, printing every part's name, seconds and counts. */
export async function runParts(parts: readonly Part[], run: PartsRun): Promise<Counts> {
  const deadline = run.now() + run.limitMs;
  const results: [Part, PartResult][] = [];
  const overruns: string[] = [];
  for (const part of parts) {
    run.print(`${part.name.padEnd(15)}`);
    const start = run.now();
    const result = await runPart(part, run, deadline - start);
    const elapsedMs = run.now() - start;
    run.print(`${describeResult(result, elapsedMs)}\n`);
    for (const line of result.tests ?? []) run.print(`  ${line}\n`);
    overruns.push(...describeOverrun(part, elapsedMs / 1000));
    if (result.failed > 0 || result.unsteady?.length) run.print(`${result.output.trim()}\n\n`);
    results.push([part, result]);
  }
  for (const overrun of overruns) run.print(`${overrun}\n`);
  printSummary(results, run);
  return sum(results.map(([, result]) => result));
}

/**
 * Returns the parts of a kind of run, or those named, whatever their kind and with their slow tests. Throws an Error that names an
 * unknown part.
 */
export function selectParts(parts: readonly Part[], names: readonly string[], kind: Part["run"]): Part[] {
  if (names.length === 0) return parts.filter((part) => part.run === kind);
  const unknown = names.find((name) => !parts.some((part) => part.name === name));
  if (unknown !== undefined)
    throw new Error(`there is no part or path ${unknown}; the parts are: ${parts.map((part) => part.name).join(", ")}`);
  return parts.filter(({ name, slowTestsOf = name }) => names.includes(name) || names.includes(slowTestsOf));
}

async function runPart(part: Part, run: PartsRun, remainingMs: number): Promise<PartResult> {
  const { leastMs } = part;
  if (leastMs !== undefined && remainingMs < leastMs) return skippedResult(lackOfTime(part.name, leastMs, remainingMs));
  if (remainingMs <= 0) return checkResult(false, "not run: the time for all parts together is over");
  const { folder, reruns, isNamed = false, hasAll = false } = run;
  try {
    return await part.check({ folder, reruns, isNamed, hasAll, limitMs: Math.min(part.limitMs, remainingMs) });
  } catch (error) {
    return checkResult(false, error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}

function lackOfTime(name: string, leastMs: number, remainingMs: number): string {
  const [least, remaining] = [leastMs, Math.max(0, remainingMs)].map((ms) => Math.floor(ms / 60_000));
  return `${name} may take ${least} minutes, and ${remaining} are left: \`npm test -- ${name}\` runs it alone`;
}

function describeResult({ passed, failed, skipped }: Counts, elapsedMs: number): string {
  const counts = [`${passed} passed`];
  if (failed > 0) counts.push(styleText("red", `${failed} failed`));
  if (skipped > 0) counts.push(`${skipped} skipped`);
  return `${(elapsedMs / 1000).toFixed(1).padStart(6)} s  ${counts.join(", ")}`;
}

function describeOverrun({ name, budgetSeconds = Number.POSITIVE_INFINITY }: Part, seconds: number): string[] {
  if (seconds <= budgetSeconds) return [];
  return [`over its time: ${name} took ${seconds.toFixed(0)} s instead of ${budgetSeconds} s (CONTRIBUTING.md)`];
}

function printSummary(results: readonly [Part, PartResult][], run: PartsRun): void {
  for (const [part, result] of results)
    for (const name of result.notRun) run.print(`skipped in ${part.name}: ${name}\n`);
  for (const [part, { unsteady = [] }] of results)
    for (const name of unsteady) run.print(`passed at the second run only, in ${part.name}: ${name}\n`);
  for (const [part, { failures = [] }] of results)
    for (const failure of failures) run.print(`failed in ${part.name}: ${failure}\n`);
  const failed = results.filter(([, result]) => result.failed > 0).map(([part]) => part.name);
  if (failed.length > 0) run.print(`failed: ${failed.join(", ")}\n`);
}

function sum(counts: readonly Counts[]): Counts {
  const total = (of: keyof Counts) => counts.reduce((whole, each) => whole + each[of], 0);
  return { passed: total("passed"), failed: total("failed"), skipped: total("skipped") };
}
