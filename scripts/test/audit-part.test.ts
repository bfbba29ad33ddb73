import { expect, it } from "vitest";
import { auditResult } from "./audit-part.ts";

const report = (vulnerabilities: object) => JSON.stringify({ auditReportVersion: 2, metadata: { vulnerabilities } });

it("fails on a finding that is high or critical, whatever npm prints around the report", () => {
  const failed = [{ low: 3, high: 0, critical: 0 }, { high: 1 }, { critical: 1 }].map(
    (found) => auditResult(`npm warn config\n${report(found)}\n`).failed,
  );
  expect(failed).toEqual([0, 1, 1]);
});

it.each(["", "npm error 405", '{"message":"Method Not Allowed","metadata":null}'])(
  "skips by name where there is no verdict: %s",
  (output) => {
    expect(auditResult(output)).toMatchObject({
      failed: 0,
      skipped: 1,
      notRun: [expect.stringContaining("npm audit")],
    });
  },
);
