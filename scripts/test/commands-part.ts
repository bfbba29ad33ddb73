import { globSync, readFileSync } from "node:fs";
import { cp, symlink } from "node:fs/promises";
import { join, relative } from "node:path";
import { BENCHMARKS } from "../../test/bench/benchmarks.ts";
import { isInstalled, programOf } from "../../test/support/processes/program.ts";
import { checkResult, combineResults, type Part, type PartContext, type PartResult, skippedResult } from "./part.ts";
import { ROOT, runCommand } from "./run-command.ts";

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
    return checkResult(false, `${name}: scripts/test/commands-part.ts doesn't say how to start it`);
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

/** How the long run starts a command, or why it doesn't. */
type Start = LeftOut | StartedHere;

interface LeftOut {
  /** Why it isn't started, or what starts it instead. */
  readonly leftOut: string;
}

interface StartedHere {
  /** Arguments that make it short. `FOLDER` stands for a folder of the run. */
  readonly args: readonly string[];
  /** Whether it writes into the repository, so that it runs in a copy. */
  readonly writes?: true;
  /** Output that shows that it worked although it ends with a failure, as a refused release does. */
  readonly accepted?: RegExp;
  /** Debian packages without which it is skipped. */
  readonly packages?: readonly string[];
}

const SERVERS = ["mariadb-server", "nats-server"];

/** The commands of package.json. Those before another (`pretest`) are all the same, and run once. */
const COMMANDS: Readonly<Record<string, Start>> = {
  prestart: { args: [] },
  start: { leftOut: "the benchmark `start` runs it" },
  test: { args: ["proto-lint"] },
  "test:long": { args: ["proto-lint"] },
  "test:cluster": { leftOut: "it is the part `cluster`" },
  "test:faults": { args: ["--minutes", "0.05"], packages: SERVERS },
  "test:load": { leftOut: "its processes take minutes to settle, however short the load is" },
  bench: { leftOut: "each benchmark is started by its name" },
  tidemark: { args: ["help"] },
  generate: { args: [], writes: true },
  "proto-baseline": { args: [], writes: true },
  contracts: { args: [], writes: true },
  "chart-readme": { args: [], writes: true },
  "client-package": { args: ["FOLDER/client-package"] },
  licences: { args: [], writes: true },
  release: { args: ["--dry-run"], accepted: /^refused: /m },
  "release:pin": { leftOut: "it asks registries and GitHub" },
  screenshots: { args: ["--seconds", "1"], writes: true, packages: ["chromium"] },
  format: { args: [], writes: true },
};

/** Scripts that no command of package.json starts. */
const SCRIPTS: Readonly<Record<string, Start>> = {
  "scripts/draw-demo-logos.ts": { args: [], writes: true },
  "scripts/image-files.ts": { args: ["FOLDER/image"] },
  "scripts/image-tar.ts": { args: ["FOLDER/image.tar"] },
  "scripts/screenshots/states.ts": {
    args: ["--only", "sale-cleared,embed-open,next-ready", "--widths", "360", "--folder", "FOLDER/states"],
    packages: ["chromium"],
  },
};

/** A command to start, or one that is left out. */
interface NamedStart {
  readonly name: string;
  /** A line for a shell, without the arguments. */
  readonly line: string;
  /** Undefined for a command that nobody has said how to start. */
  readonly start: Start | undefined;
}

/**
 * Lists every command of package.json, every benchmark, and every script that neither a command nor another script starts.
 *
 * @param scripts the commands of package.json
 * @param files scripts that can be started by themselves
 */
export function startedCommands(scripts: Readonly<Record<string, string>>, files: readonly string[]): NamedStart[] {
  const lines = Object.values(scripts);
  const names = Object.keys(scripts).filter(
    (name) => lines.indexOf(scripts[name] ?? "") === Object.keys(scripts).indexOf(name),
  );
  return [
    ...names.map((name) => ({ name: `npm run ${name}`, line: scripts[name] ?? "", start: COMMANDS[name] })),
    ...Object.entries(BENCHMARKS).map(([name, { packages }]) => ({
      name: `npm run bench -- ${name}`,
      line: scripts["bench"] ?? "",
      start: { args: ["--quick", name], packages },
    })),
    ...files
      .filter((file) => !lines.some((line) => line.includes(file)))
      .map((file) => ({ name: `node ${file}`, line: `node ${file}`, start: SCRIPTS[file] })),
  ];
}
