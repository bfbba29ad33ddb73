import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { findProgram } from "../../test/support/processes/program.ts";
import { type Counts, type Part, type PartContext, type PartResult, skippedResult } from "./part.ts";
import { runCommand } from "./run-command.ts";

const VITEST = "node_modules/vitest/vitest.mjs";

/** Tests to run, and the runtime and environment for them. */
export interface VitestRun {
  readonly projects: readonly string[];
  /** Only files whose path contains one of these; all files of the projects by default. */
  readonly paths?: readonly string[];
  /** Node by default. */
  readonly runtime?: "node" | "deno";
  readonly env?: Readonly<Record<string, string>>;
  /** A program without which the part is skipped as a whole. */
  readonly needs?: string;
  /** Whether the part shows each test with its seconds. */
  readonly showsTests?: boolean;
  /** A program that gets the command as its arguments and runs it. */
  readonly inside?: string;
}

/** A part that is one run of vitest. */
export function vitestPart(part: Omit<Part, "check">, run: VitestRun): Part {
  const check = async (context: PartContext) => {
    if (run.needs === undefined || findProgram(run.needs) !== undefined) return runVitest(part.name, run, context);
    return skippedResult(`${run.needs} is not installed`);
  };
  return { ...part, check };
}

async function runVitest(name: string, run: VitestRun, context: PartContext): Promise<PartResult> {
  const begin = performance.now();
  const first = await runOnce(name, run, context);
  if (first.report === undefined || first.result.failed === 0) return first.result;
  const files = failedFiles(first.report);
  const limitMs = context.limitMs - (performance.now() - begin);
  if (limitMs <= 0 || !context.reruns.take(files.length)) return first.result;
  const { result: second } = await runOnce(`${name}-again`, { ...run, paths: files }, { ...context, limitMs });
  if (second.failed > 0) return first.result;
  const { passed, skipped } = countTests({
    testResults: first.report.testResults.filter(({ name }) => !files.includes(name)),
  });
  return {
    ...first.result,
    passed: passed + second.passed,
    failed: 0,
    skipped: skipped + second.skipped,
    failures: [],
    unsteady: describeFailures(first.report),
  };
}

interface VitestOutcome {
  readonly result: PartResult;
  /** Undefined where vitest wrote none. */
  readonly report: VitestReport | undefined;
}

/** Counts the tests by the report that vitest writes. */
async function runOnce(name: string, run: VitestRun, context: PartContext): Promise<VitestOutcome> {
  const reportFile = join(context.folder, `${name}.json`);
  const { inside, runtime = "node" } = run;
  const vitest = [...(runtime === "deno" ? ["run", "--allow-all"] : []), VITEST, ...vitestArgs(run, reportFile)];
  const result = await runCommand({
    ...(inside === undefined ? { command: runtime, args: vitest } : { command: inside, args: [runtime, ...vitest] }),
    env: { TMPDIR: context.folder, ...run.env },
    limitMs: context.limitMs,
  });
  const report = await readReport(reportFile);
  const counts = report === undefined ? { passed: 0, failed: 1, skipped: 0 } : countTests(report);
  // An error outside of any test, or no test at all.
  const failed = result.ok ? counts.failed : Math.max(counts.failed, 1);
  const [notRun, failures] = report === undefined ? [[], []] : [skippedNames(report), describeFailures(report)];
  const tests = run.showsTests && report !== undefined ? describeTests(report) : [];
  return { result: { ...counts, failed, output: result.output, notRun, failures, tests }, report };
}

function vitestArgs({ projects, paths = [] }: VitestRun, reportFile: string): string[] {
  const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${reportFile}`];
  return ["run", ...projects.map((name) => `--project=${name}`), ...paths, ...reporters, "--silent=passed-only"];
}

async function readReport(path: string): Promise<VitestReport | undefined> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch {
    return undefined;
  }
}

/** Fields that are used of the report by vitest's JSON reporter. */
export interface VitestReport {
  readonly testResults: readonly VitestFile[];
}

interface VitestFile {
  readonly name: string;
  readonly status: string;
  /** The error of a file that failed outside of its tests. */
  readonly message?: string;
  readonly assertionResults: readonly VitestTest[];
}

interface VitestTest {
  readonly status: string;
  readonly ancestorTitles: readonly string[];
  readonly title: string;
  /** Milliseconds. */
  readonly duration?: number;
  readonly failureMessages?: readonly string[];
}

const NOT_RUN = new Set(["skipped", "pending", "todo"]);

/** Counts the tests of a report. A file that failed before it could declare a test counts as one failed test. */
export function countTests({ testResults }: VitestReport): Counts {
  const statuses = testResults.flatMap(({ status, assertionResults }) =>
    status === "failed" && assertionResults.length === 0 ? [status] : assertionResults.map((test) => test.status),
  );
  const count = (isCounted: (status: string) => boolean) => statuses.filter(isCounted).length;
  return {
    passed: count((status) => status === "passed"),
    failed: count((status) => status === "failed"),
    skipped: count((status) => NOT_RUN.has(status)),
  };
}

/** The tests that ran, each with its seconds and titles. */
export function describeTests({ testResults }: VitestReport): string[] {
  const ran = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter((test) => !NOT_RUN.has(test.status)),
  );
  return ran.map(({ status, duration = 0, ancestorTitles, title }) => {
    const titles = [...ancestorTitles, title].filter((each) => each !== "").join(" > ");
    return `${(duration / 1_000).toFixed(1).padStart(6)} s  ${status}  ${titles}`;
  });
}

/** The files in which something failed. */
export function failedFiles(report: VitestReport): string[] {
  return report.testResults.filter(({ status }) => status === "failed").map(({ name }) => name);
}

/** The tests and files that failed, by file and titles, each with the first line of its error. */
export function describeFailures({ testResults }: VitestReport): string[] {
  return testResults.flatMap(({ name, status, message = "", assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === "failed");
    const ofTests = failed.map(({ ancestorTitles, title, failureMessages = [] }) =>
      describeFailure([name, ...ancestorTitles, title], failureMessages[0]),
    );
    const isOfFile = status === "failed" && (failed.length === 0 || message !== "");
    return isOfFile ? [describeFailure([name], message), ...ofTests] : ofTests;
  });
}

function describeFailure(titles: readonly string[], message = ""): string {
  const [line = ""] = stripVTControlCharacters(message).split("\n");
  return [titles.filter((title) => title !== "").join(" > "), line.slice(0, MAX_ERROR_CHARACTERS)].join(": ");
}

/** Characters of an error's first line that the summary shows. */
const MAX_ERROR_CHARACTERS = 600;

/** Skipped tests, each by its outermost `describe` (or its own name), without repetition. */
export function skippedNames(report: VitestReport): string[] {
  const tests = report.testResults.flatMap((file) => file.assertionResults);
  const skipped = tests.filter((test) => NOT_RUN.has(test.status));
  return [...new Set(skipped.map((test) => test.ancestorTitles.find((title) => title !== "") ?? test.title))];
}
