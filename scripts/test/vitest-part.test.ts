import { expect, it } from "vitest";
import { countTests, failedFiles, failedNames, skippedNames, type VitestReport } from "./vitest-part.ts";

const skipped = (title: string, ...ancestorTitles: string[]) => ({ status: "skipped", title, ancestorTitles });

const report: VitestReport = {
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
    { name: "good.test.ts", status: "passed", assertionResults: [{ ...skipped("works"), status: "passed" }] },
    { name: "syntax-error.test.ts", status: "failed", assertionResults: [] },
  ],
};

it("counts a file that could not be loaded as one failed test", () => {
  expect(countTests(report)).toEqual({ passed: 1, failed: 2, skipped: 4 });
});

it("names what was skipped once, by its outermost describe", () => {
  expect(skippedNames(report)).toEqual(["store on mariadb (not installed)", "top level", "later"]);
});

it("names what failed, and the files in which it did", () => {
  expect(failedFiles(report)).toEqual(["store.test.ts", "syntax-error.test.ts"]);
  expect(failedNames(report)).toEqual(["store.test.ts > fails"]);
});
