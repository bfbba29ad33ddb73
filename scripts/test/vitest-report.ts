import type { Counts } from "./part.ts";

/** Fields that are used of the report by vitest's JSON reporter. */
export interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly VitestFile[];
}

interface VitestFile {
  readonly name: string;
  readonly status: string;
  readonly assertionResults: readonly VitestTest[];
}

interface VitestTest {
  readonly status: string;
  readonly ancestorTitles: readonly string[];
  readonly title: string;
}

const NOT_RUN = new Set(["skipped", "pending", "todo"]);

/** The tests of a report. A file that failed before it could declare a test counts as one failed test. */
export function countTests(report: VitestReport): Counts {
  const brokenFiles = report.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.length === 0,
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** The files in which something failed. */
export function failedFiles(report: VitestReport): string[] {
  return report.testResults.filter(({ status }) => status === "failed").map(({ name }) => name);
}

/** The tests that failed, by file and titles. */
export function failedNames(report: VitestReport): string[] {
  return report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "failed")
      .map(({ ancestorTitles, title }) => [name, ...ancestorTitles, title].filter((text) => text !== "").join(" > ")),
  );
}

/** A report without some of its files. */
export function withoutFiles(report: VitestReport, names: readonly string[]): VitestReport {
  const testResults = report.testResults.filter(({ name }) => !names.includes(name));
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const count = (...statuses: readonly string[]) => tests.filter(({ status }) => statuses.includes(status)).length;
  return {
    numPassedTests: count("passed"),
    numFailedTests: count("failed"),
    numPendingTests: count("skipped", "pending"),
    numTodoTests: count("todo"),
    testResults,
  };
}

/** Skipped tests, each by its outermost `describe` (or its own name), without repetition. */
export function skippedNames(report: VitestReport): string[] {
  const tests = report.testResults.flatMap((file) => file.assertionResults);
  const skipped = tests.filter((test) => NOT_RUN.has(test.status));
  return [...new Set(skipped.map((test) => test.ancestorTitles.find((title) => title !== "") ?? test.title))];
}
