import { expect, it } from "vitest";
import {
  countTests,
  describeFailures,
  describeTests,
  failedFiles,
  skippedNames,
  type VitestReport,
} from "./vitest-part.ts";

const skipped = (title: string, ...ancestorTitles: string[]) => ({ status: "skipped", title, ancestorTitles });

const report: VitestReport = {
  testResults: [
    {
      name: "store.test.ts",
      status: "failed",
      assertionResults: [
        {
          status: "failed",
          title: "fails",
          ancestorTitles: [],
          failureMessages: ["Error: 5 is too many\n    at a line"],
        },
        skipped("first", "store on mariadb (not installed)", "inner"),
        skipped("second", "store on mariadb (not installed)"),
        skipped("top level"),
        { status: "todo", title: "later", ancestorTitles: [""] },
      ],
    },
    { name: "good.test.ts", status: "passed", assertionResults: [{ ...skipped("works"), status: "passed" }] },
    { name: "syntax-error.test.ts", status: "failed", message: "SyntaxError: what", assertionResults: [] },
  ],
};

it("counts a file that could not be loaded as one failed test", () => {
  expect(countTests(report)).toEqual({ passed: 1, failed: 2, skipped: 4 });
});

it("names what was skipped once, by its outermost describe", () => {
  expect(skippedNames(report)).toEqual(["store on mariadb (not installed)", "top level", "later"]);
});

it("shows what ran with its seconds", () => {
  const passed = { ...skipped("works", "the chart"), status: "passed", duration: 61_240 };
  expect(describeTests({ testResults: [{ name: "a.test.ts", status: "passed", assertionResults: [passed] }] })).toEqual(
    ["  61.2 s  passed  the chart > works"],
  );
  expect(describeTests(report)).toEqual(["   0.0 s  failed  fails", "   0.0 s  passed  works"]);
});

it("names what failed and why, and the files in which it did", () => {
  expect(failedFiles(report)).toEqual(["store.test.ts", "syntax-error.test.ts"]);
  expect(describeFailures(report)).toEqual([
    "store.test.ts > fails: Error: 5 is too many",
    "syntax-error.test.ts: SyntaxError: what",
  ]);
});
