import { expect, it } from "vitest";
import { countTests, failedFiles, failedNames, skippedNames, type VitestReport, withoutFiles } from "./vitest-part.ts";

const skipped = (title: string, ...ancestorTitles: string[]) => ({ status: "skipped", title, ancestorTitles });

const report: VitestReport = {
  numPassedTests: 5,
  numFailedTests: 1,
  numPendingTests: 3,
  numTodoTests: 1,
  testResults: [
    {
      name: "store.test.ts",
      status: "failed",
      assertionResults: [
        { status: "failed", title: "fails", ancestorTitles: [] },
        skipped("first", "store on mariadb (not installed)", "inner"),
        skipped("second", "store on mariadb (not installed)"),
        skipped("top level"),
        { status: "todo", title: "later", ancestorTitles: [""] },
      ],
    },
    { name: "syntax-error.test.ts", status: "failed", assertionResults: [] },
  ],
};

it("counts a file that could not be loaded as one failed test", () => {
  expect(countTests(report)).toEqual({ passed: 5, failed: 2, skipped: 4 });
});

it("names what was skipped once, by its outermost describe", () => {
  expect(skippedNames(report)).toEqual(["store on mariadb (not installed)", "top level", "later"]);
});

it("names what failed, and the files in which it did", () => {
  expect(failedFiles(report)).toEqual(["store.test.ts", "syntax-error.test.ts"]);
  expect(failedNames(report)).toEqual(["store.test.ts > fails"]);
});

it("counts without the files that are run again", () => {
  const passed = { name: "good.test.ts", status: "passed", assertionResults: [{ ...skipped("a"), status: "passed" }] };
  const whole = { ...report, testResults: [...report.testResults, passed] };
  const rest = withoutFiles(whole, failedFiles(whole));
  expect(countTests(rest)).toEqual({ passed: 1, failed: 0, skipped: 0 });
  expect(countTests(withoutFiles(whole, ["good.test.ts"]))).toEqual({ passed: 0, failed: 2, skipped: 4 });
});
