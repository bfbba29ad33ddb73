import { globSync, readFileSync } from "node:fs";
import { cp, symlink } from "node:fs/promises";
import { join, relative } from "node:path";
import { isInstalled, programOf } from "../../test/support/processes/program.ts";
import type { Part, PartContext, PartResult } from "./part.ts";
import { checkResult, combineResults, skippedResult } from "./part.ts";
import { ROOT, runCommand } from "./run-command.ts";
import { type NamedStart, startedCommands } from "./started-commands.ts";

const MINUTE_MS = 60_000;
const COMMAND_LIMIT_MS = 3 * MINUTE_MS;

const PACKAGES = ["mariadb-server", "galera-4", "rsync", "nats-server", "wrk", "chromium"];

/** Starts every benchmark, script and command of package.json with small numbers: what nothing runs, breaks. */
export const commandsPart: Part = {
  name: "commands",
  run: "long",
  limitMs: 15 * MINUTE_MS,
  leastMs: 6 * MINUTE_MS,
  packages: PACKAGES,
  check,
};

async function check(context: PartContext): Promise<PartResult> {
  const copy = await copyRepository(join(context.folder, "copy"));
  const deadline = performance.now() + context.limitMs;
  const results: PartResult[] = [];
  for (const command of allCommands()) {
    const limitMs = Math.min(COMMAND_LIMIT_MS, deadline - performance.now());
    results.push(await startOne(command, { ...context, limitMs }, copy));
  }
  return combineResults(results);
}

/** Lists all commands of the repository. */
export function allCommands(): NamedStart[] {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const files = globSync("scripts/**/*.ts", { cwd: ROOT }).filter((file) => !file.endsWith(".test.ts"));
  return startedCommands(scripts, files.filter(isProgram).toSorted());
}

/** Whether a file can be started by itself: it says so, or exports nothing. */
function isProgram(file: string): boolean {
  const source = readFileSync(join(ROOT, file), "utf8");
  return /import\.meta\.main|process\.argv\[1\] ===/.test(source) || !/^export /m.test(source);
}

async function startOne({ name, line, start }: NamedStart, context: PartContext, copy: string): Promise<PartResult> {
  if (start === undefined)
    return checkResult(false, `${name}: scripts/test/started-commands.ts doesn't say how to start it`);
  if ("leftOut" in start) return skippedResult(`${name}: ${start.leftOut}`);
  const missing = (start.packages ?? []).filter((name) => !isInstalled(name)).map(programOf);
  if (missing.length > 0) return skippedResult(`${name}: ${missing.join(", ")} not installed`);
  const { folder, limitMs } = context;
  const args = ["-c", `${line} "$@"`, "sh", ...start.args.map((arg) => arg.replace("FOLDER", folder))];
  const cwd = start.writes ? copy : ROOT;
  const { ok, output } = await runCommand({ command: "sh", args, cwd, env: { TMPDIR: folder }, limitMs });
  return checkResult(ok || start.accepted?.test(output) === true, `${name}:\n${output.trim()}`);
}

/** Copies the repository with its history, so that git and what asks it work there. Packages are linked. */
async function copyRepository(target: string): Promise<string> {
  const isCopied = (path: string) => !["node_modules", "data"].includes(relative(ROOT, path));
  await cp(ROOT, target, { recursive: true, filter: isCopied });
  await symlink(join(ROOT, "node_modules"), join(target, "node_modules"));
  return target;
}
