import { spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const USAGE = "usage: npm run test:faults -- [--all] [--minutes NUMBER] [--seed NUMBER]";

// Injects concurrent faults for minutes: of everything that live updates depend on, or with `--all` of every component. The seed
// that a run prints repeats its choices.
try {
  const { file, settings } = chosenRun();
  process.exitCode = await run(file, settings);
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  process.exitCode = 64;
}

interface ChosenRun {
  readonly file: string;
  readonly settings: Readonly<Record<string, string>>;
}

function chosenRun(): ChosenRun {
  const { values } = parseArgs({
    options: {
      all: { type: "boolean", default: false },
      minutes: { type: "string", default: "5" },
      seed: { type: "string" },
    },
  });
  const minutes = Number(values.minutes);
  if (!(minutes > 0 && minutes <= 24 * 60)) throw new Error("--minutes: expected a number up to 1440");
  const file = values.all ? "test/faults/everything.test.ts" : "test/faults/live-updates.test.ts";
  const settings = { FAULT_MINUTES: String(minutes) };
  if (values.seed === undefined) return { file, settings };
  if (!/^\d{1,10}$/.test(values.seed)) throw new Error("--seed: expected an integer");
  return { file, settings: { ...settings, FAULT_SEED: values.seed } };
}

async function run(file: string, settings: ChosenRun["settings"]): Promise<number> {
  const path = `${join(ROOT, "node_modules", ".bin")}${delimiter}${process.env["PATH"] ?? ""}`;
  const child = spawn("vitest", ["run", "--project", "faults", file], {
    cwd: ROOT,
    env: { ...process.env, ...settings, PATH: path },
    stdio: "inherit",
  });
  const [code] = await once(child, "exit");
  return code ?? 1;
}
