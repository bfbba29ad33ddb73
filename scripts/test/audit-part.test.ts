import { describe, expect, it } from "vitest";
import { auditResult } from "./audit-part.ts";

const report = (vulnerabilities: object) => JSON.stringify({ auditReportVersion: 2, metadata: { vulnerabilities } });

describe("auditResult", () => {
  it("passes without high findings", () => {
    const output = `npm warn config\n${report({ low: 3, moderate: 1, high: 0, critical: 0 })}\n`;
    expect(auditResult(output)).toMatchObject({ passed: 1, failed: 0 });
  });

  it.each(["high", "critical"])("fails on a %s finding", (severity) => {
    expect(auditResult(report({ [severity]: 1 }))).toMatchObject({ passed: 0, failed: 1 });
  });

  it.each(["", "npm error 405", '{"error":{"code":"E405"}}', '{"message":"Method Not Allowed","metadata":null}'])(
    "skips by name where there is no verdict: %s",
    (output) => {
      expect(auditResult(output)).toMatchObject({
        failed: 0,
        skipped: 1,
        notRun: [expect.stringContaining("npm audit")],
      });
    },
  );
});
