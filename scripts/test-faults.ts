import { spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const USAGE = "usage: npm run test:faults -- [--minutes NUMBER] [--seed NUMBER]";

// Everything fails at once for minutes; the seed of a run that was printed repeats its choices.
try {
  process.exitCode = await run(environment());
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  process.exitCode = 64;
}

function environment(): Readonly<Record<string, string>> {
  const { values } = parseArgs({ options: { minutes: { type: "string", default: "5" }, seed: { type: "string" } } });
  const minutes = Number(values.minutes);
  if (!(minutes > 0 && minutes <= 24 * 60)) throw new Error("--minutes: expected a number up to 1440");
  if (values.seed === undefined) return { FAULT_MINUTES: String(minutes) };
  if (!/^\d{1,10}$/.test(values.seed)) throw new Error("--seed: expected an integer");
  return { FAULT_MINUTES: String(minutes), FAULT_SEED: values.seed };
}

async function run(settings: Readonly<Record<string, string>>): Promise<number> {
  const path = `${join(ROOT, "node_modules", ".bin")}${delimiter}${process.env["PATH"] ?? ""}`;
  const child = spawn("vitest", ["run", "--project", "faults", "test/faults/live-updates.test.ts"], {
    cwd: ROOT,
    env: { ...process.env, ...settings, PATH: path },
    stdio: "inherit",
  });
  const [code] = await once(child, "exit");
  return code ?? 1;
}
