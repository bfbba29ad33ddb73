import { copyFile, mkdir, realpath } from "node:fs/promises";
import { basename, join } from "node:path";
import { checkResult, combineResults, type Part, type PartContext, type PartResult, skippedResult } from "./part.ts";
import { ROOT, runCommand } from "./run-command.ts";

/** The major versions of npm that come with the versions of Node that may start the bootstrap. */
const NPM_MAJORS = [10, 11];

/** Programs of packages that exist once for each platform. An npm may leave out their links. */
const PROGRAMS = ["node", "anvil", "buf", "deno"];

/** Installs the packages as a fresh checkout does, with each npm; skipped where the registry has no npm. */
export const installPart: Part = { name: "install", run: "long", limitMs: 8 * 60_000, check };

async function check(context: PartContext): Promise<PartResult> {
  const results: PartResult[] = [];
  for (const major of NPM_MAJORS) results.push(await installWith(major, context));
  return combineResults(results);
}

async function installWith(major: number, { folder, limitMs }: PartContext): Promise<PartResult> {
  const tool = join(folder, `npm-${major}`);
  const install = ["install", "--prefix", tool, "--no-audit", "--no-fund", "--ignore-scripts", `npm@${major}`];
  const fetched = await runCommand({ command: "npm", args: install, limitMs });
  if (!fetched.ok) return skippedResult(`npm ${major}: the registry doesn't give it`);
  const checkout = await freshCheckout(join(folder, `checkout-${major}`));
  const env = { npm_execpath: join(tool, "node_modules/npm/bin/npm-cli.js") };
  const bootstrap = ["scripts/bootstrap.mjs"];
  const installed = await runCommand({ command: "node", args: bootstrap, cwd: checkout, env, limitMs });
  if (!installed.ok) return checkResult(false, `npm ${major}: ${installed.output}`);
  const started = PROGRAMS.map(async (program) => {
    const path = join(checkout, "node_modules", ".bin", program);
    const { ok, output } = await runCommand({ command: path, args: ["--version"], cwd: checkout, limitMs });
    return checkResult(ok, `npm ${major}: ${program}: ${output}`);
  });
  const deno = await realpath(join(checkout, "node_modules", ".bin", "deno"));
  // A script that starts it would not pass signals on.
  const isProgram = checkResult(basename(deno) === "deno", `npm ${major}: deno is started by ${deno}`);
  return combineResults([...(await Promise.all(started)), isProgram]);
}

async function freshCheckout(folder: string): Promise<string> {
  await mkdir(join(folder, "scripts"), { recursive: true });
  const files = ["package.json", "package-lock.json", "scripts/bootstrap.mjs"];
  await Promise.all(files.map((file) => copyFile(join(ROOT, file), join(folder, file))));
  return folder;
}
