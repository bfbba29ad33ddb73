import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { Env } from "../config/env.ts";
import type { Task } from "../lifecycle/main-arguments.ts";
import type { Finding } from "./finding.ts";
import { findingLines, findingsJson, mayStart } from "./finding-lines.ts";
import { type Probe, runProbes } from "./run-probes.ts";

/** The exit code if something failed. */
const FAILED = 1;
/** Bounds the end of what a probe that hangs still holds. */
const EXIT_MS = 1_000;

const JSON_OPTION = "--json";
const RETRY_OPTION = "--retry";
/** Longer than the network of a new pod needs to learn what it may reach. */
const RETRY_AFTER_MS = 5_000;

/** Returns the checks of a process. It reads no setting before they run, so that each wrong one is a finding of its own. */
export type ChecksOf = (env: Env) => readonly Probe[];

/** Loads checks when they are asked for: a process that serves needs none of their modules. */
type LoadChecks = () => Promise<ChecksOf>;

export interface CheckTasks {
  /** Those of the process that serves. */
  readonly checks: LoadChecks;
  /** Those of `--migrate`, which has a database account of its own. Absent for a service without tables. */
  readonly migrationChecks?: LoadChecks;
}

/**
 * Returns the tasks `--check` and `--check-migrate`. They print what they find, a line for each fact or JSON with `--json`, and end with
 * exit code 1 if something failed. With `--retry` they ask everything once more, a few seconds later, if not all is well.
 */
export function checkTasks(
  variables: ConstructorParameters<typeof Env>[0],
  { checks, migrationChecks }: CheckTasks,
): readonly Task[] {
  const task = (argument: Task["argument"], summary: string, load: LoadChecks): Task => ({
    argument,
    summary,
    options: [JSON_OPTION, RETRY_OPTION],
    run: async (options) => {
      const checksOf = await load();
      await check(() => checksOf(new Env(variables)), options);
    },
  });
  const serving = task("--check", "check all that it needs, change nothing, and end", checks);
  if (migrationChecks === undefined) return [serving];
  return [serving, task("--check-migrate", "the same for what --migrate needs", migrationChecks)];
}

async function check(probes: () => readonly Probe[], options: readonly string[]): Promise<void> {
  const findings = await findingsOf(probes, options.includes(RETRY_OPTION));
  process.stdout.write(options.includes(JSON_OPTION) ? findingsJson(findings) : findingLines(findings));
  process.exitCode = mayStart(findings) ? 0 : FAILED;
  setTimeout(() => process.exit(), EXIT_MS).unref();
}

/** Runs probes, and runs new ones if that is wanted and not all is well. @param retryAfterMs the time between */
export async function findingsOf(
  probes: () => readonly Probe[],
  retries: boolean,
  retryAfterMs = RETRY_AFTER_MS,
): Promise<readonly Finding[]> {
  const findings = await runProbes(probes());
  if (!retries || findings.every(({ level }) => level === "ok")) return findings;
  await wait(retryAfterMs);
  return runProbes(probes());
}
