import { type GoTool, goTool, HELM, KUBE_SCORE, KUBECTL_VALIDATE, PROMTOOL } from "./go-tool.ts";
import type { Part, PartContext } from "./part.ts";
import { skippedResult } from "./part.ts";
import { vitestPart } from "./vitest-part.ts";

const MINUTE_MS = 60_000;

const POLICIES = "test/chart/policies.test.ts";
const PROMTOOL_TESTS = "test/chart/promtool.test.ts";
const SHORT = ["adapted", "alerts", "rendered", "settings", "validation", "documentation"].map(
  (name) => `test/chart/${name}.test.ts`,
);

/** Checks of the Helm chart. The tools come with Go where they aren't there; what can't be had is skipped by name. */
export const chartParts: readonly Part[] = [
  {
    name: "chart",
    run: "short",
    budgetSeconds: 28,
    limitMs: 20 * MINUTE_MS,
    check: (context) => checkChart(context, SHORT),
  },
  { name: "chart-alerts", run: "long", limitMs: 25 * MINUTE_MS, check: checkAlerts },
  { name: "chart-policies", run: "long", limitMs: 25 * MINUTE_MS, check: checkPolicies },
];

async function checkChart(
  context: PartContext,
  filters: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const helm = await goTool(HELM);
  if ("missing" in helm) return skippedResult(`chart: ${helm.missing}`);
  const part = vitestPart(
    { name: "chart", run: "short", limitMs: context.limitMs },
    { projects: ["chart"], paths: filters, env: { HELM: helm.path, ...env } },
  );
  return part.check(context);
}

/** Tests with promtool when alerts fire. */
async function checkAlerts(context: PartContext) {
  return checkChart(context, [PROMTOOL_TESTS], await variableOf(PROMTOOL));
}

/** Checks the rendered objects with other tools; with kube-linter only if it is installed. */
async function checkPolicies(context: PartContext) {
  const env: Record<string, string> = {};
  for (const tool of [KUBE_SCORE, KUBECTL_VALIDATE]) Object.assign(env, await variableOf(tool));
  return checkChart(context, [POLICIES], env);
}

/** The variable by which tests find a tool, such as `KUBE_SCORE`; none where the tool can't be had. */
export async function variableOf(tool: GoTool): Promise<Record<string, string>> {
  const found = await goTool(tool);
  return "path" in found ? { [tool.name.toUpperCase().replace("-", "_")]: found.path } : {};
}
