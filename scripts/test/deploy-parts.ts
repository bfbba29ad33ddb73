import { checkResult, combineResults, type Part, type PartContext, type PartResult, skippedResult } from "./part.ts";
import { runCommand } from "./run-command.ts";
import {
  ACTIONLINT,
  COMPOSE_LOADER,
  CRANE,
  type FoundTool,
  type GoTool,
  goProgram,
  goTool,
  HELM,
  KUBE_SCORE,
  KUBECTL_VALIDATE,
  PROMTOOL,
  pythonTool,
  ZIZMOR,
} from "./tools.ts";
import { vitestPart } from "./vitest-part.ts";

const MINUTE_MS = 60_000;

const POLICIES = "test/chart/policies.test.ts";
const PROMTOOL_TESTS = "test/chart/promtool.test.ts";
const SHORT = ["adapted", "alerts", "rendered", "settings", "validation", "documentation"].map(
  (name) => `test/chart/${name}.test.ts`,
);

/** Checks of the Helm chart. The tools come with Go where they aren't there; what can't be had is skipped by name. */
export const chartPart: Part = {
  name: "chart",
  run: "short",
  budgetSeconds: 28,
  limitMs: 20 * MINUTE_MS,
  check: (context) => checkChart(context, SHORT),
};

/** Checks of the chart by tools that Go compiles for many minutes where they aren't kept, on empty caches that is. */
export const compiledChartParts: readonly Part[] = [
  { name: "chart-policies", run: "long", limitMs: 25 * MINUTE_MS, leastMs: 12 * MINUTE_MS, check: checkPolicies },
  { name: "chart-alerts", run: "long", limitMs: 25 * MINUTE_MS, leastMs: 16 * MINUTE_MS, check: checkAlerts },
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

const COMPOSE = "compose";
const COMPOSE_LIMIT_MS = 15 * MINUTE_MS;

/** Loads `deploy/compose.yaml` as Docker Compose does. */
export const composePart: Part = {
  name: COMPOSE,
  run: "short",
  budgetSeconds: 3,
  limitMs: COMPOSE_LIMIT_MS,
  check: checkCompose,
};

async function checkCompose(context: PartContext): Promise<PartResult> {
  const loader = await goProgram(COMPOSE_LOADER);
  if ("missing" in loader) return skippedResult(`compose: ${loader.missing}`);
  const run = { projects: [COMPOSE], env: { COMPOSE_LOADER: loader.path } };
  return vitestPart({ name: COMPOSE, run: "short", limitMs: COMPOSE_LIMIT_MS }, run).check(context);
}

/** Tests of what a release publishes: the image's files, how they run confined, and the chart in a registry where Go can install one. */
export const releasePart: Part = {
  name: "release",
  run: "long",
  limitMs: 20 * MINUTE_MS,
  packages: ["runc"],
  check: checkRelease,
};

async function checkRelease(context: PartContext) {
  const env = { ...(await variableOf(HELM)), ...(await variableOf(CRANE)) };
  const limits = { name: "release", run: "long", limitMs: context.limitMs } as const;
  return vitestPart(limits, { projects: ["release"], env }).check(context);
}

/** actionlint and zizmor on .github/workflows; each is skipped by name where it can't be had. */
export const workflowsPart: Part = { name: "workflows", run: "long", limitMs: 15 * MINUTE_MS, check: checkWorkflows };

async function checkWorkflows(context: PartContext): Promise<PartResult> {
  const actionlint = await lint("actionlint", await goTool(ACTIONLINT), [], context);
  // Offline: it would ask GitHub about the actions, which `npm run release:pin` does.
  const zizmor = await lint("zizmor", await pythonTool(ZIZMOR), ["--offline", "--no-progress", ".github"], context);
  return combineResults([actionlint, zizmor]);
}

async function lint(name: string, tool: FoundTool, args: readonly string[], { limitMs }: PartContext) {
  if ("missing" in tool) return skippedResult(`${name}: ${tool.missing}`);
  const { ok, output } = await runCommand({ command: tool.path, args, limitMs });
  return checkResult(ok, output);
}

/** The variable by which tests find a tool, such as `KUBE_SCORE`; none where the tool can't be had. */
async function variableOf(tool: GoTool): Promise<Record<string, string>> {
  const installed = await goTool(tool);
  return "path" in installed ? { [tool.name.toUpperCase().replace("-", "_")]: installed.path } : {};
}
