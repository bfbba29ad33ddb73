import { checkResult, type Part, type PartContext, type PartResult, skippedResult } from "./part.ts";
import { runCommand } from "./run-command.ts";

/** `npm audit` of what production installs; skipped where the registry gives no verdict. */
export const auditPart: Part = { name: "audit", run: "long", limitMs: 5 * 60_000, check: checkAudit };

async function checkAudit({ limitMs }: PartContext): Promise<PartResult> {
  const { output } = await runCommand({ command: "npm", args: ["audit", "--omit=dev", "--json"], limitMs });
  return auditResult(output);
}

/** Fails on findings that are high or critical. */
export function auditResult(output: string): PartResult {
  const counts = vulnerabilities(output);
  if (counts === undefined) return skippedResult("npm audit: the registry gives no verdict");
  return checkResult((counts["high"] ?? 0) + (counts["critical"] ?? 0) === 0, output);
}

function vulnerabilities(output: string): Readonly<Record<string, number>> | undefined {
  try {
    // npm may print warnings before and after the report.
    const report = JSON.parse(output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1));
    return report.metadata?.vulnerabilities;
  } catch {
    return undefined;
  }
}
