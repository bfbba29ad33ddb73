import process from "node:process";
import { Env } from "../config/env.ts";
import type { Task } from "../lifecycle/main-arguments.ts";
import { findingLines, findingsJson, mayStart } from "./finding-lines.ts";
import { type Probe, runProbes } from "./run-probes.ts";

/** The exit code if something failed. */
const FAILED = 1;
/** Bounds the end of what a probe that hangs still holds. */
const EXIT_MS = 1_000;

const JSON_OPTION = "--json";

/** Returns the checks of a process. It reads no setting before they run, so that each wrong one is a finding of its own. */
export type ChecksOf = (env: Env) => readonly Probe[];

export interface CheckTasks {
  /** Those of the process that serves. */
  readonly checks: ChecksOf;
  /** Those of `--migrate`, which has a database account of its own. Absent for a service without tables. */
  readonly migrationChecks?: ChecksOf;
}

/**
 * Returns the tasks `--check` and `--check-migrate`. They print what they find, a line for each fact or JSON with `--json`, and end with
 * exit code 1 if something failed.
 */
export function checkTasks(
  variables: ConstructorParameters<typeof Env>[0],
  { checks, migrationChecks }: CheckTasks,
): readonly Task[] {
  const task = (argument: Task["argument"], summary: string, checksOf: ChecksOf): Task => ({
    argument,
    summary,
    options: [JSON_OPTION],
    run: (options) => check(checksOf(new Env(variables)), options.includes(JSON_OPTION)),
  });
  const serving = task("--check", "check all that it needs, change nothing, and end", checks);
  if (migrationChecks === undefined) return [serving];
  return [serving, task("--check-migrate", "the same for what --migrate needs", migrationChecks)];
}

async function check(probes: readonly Probe[], isJson: boolean): Promise<void> {
  const findings = await runProbes(probes);
  process.stdout.write(isJson ? findingsJson(findings) : findingLines(findings));
  process.exitCode = mayStart(findings) ? 0 : FAILED;
  setTimeout(() => process.exit(), EXIT_MS).unref();
}
