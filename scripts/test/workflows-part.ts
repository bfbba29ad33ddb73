import { ACTIONLINT, goTool } from "./go-tool.ts";
import type { Part, PartContext, PartResult } from "./part.ts";
import { checkResult, combineResults, skippedResult } from "./part.ts";
import { pythonTool, ZIZMOR } from "./python-tool.ts";
import { runCommand } from "./run-command.ts";
import type { FoundTool } from "./tool-cache.ts";

const MINUTE_MS = 60_000;

/** actionlint and zizmor on .github/workflows; each is skipped by name where it can't be had. */
export const workflowsPart: Part = { name: "workflows", run: "long", limitMs: 15 * MINUTE_MS, check };

async function check(context: PartContext): Promise<PartResult> {
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
