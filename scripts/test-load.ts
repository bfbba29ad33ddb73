import { spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const USAGE = "usage: npm run test:load -- [--minutes NUMBER]";

// Puts mixed load on one process of each component for minutes, and checks that memory, descriptors and listeners don't grow.
try {
  process.exitCode = await run(minutesOf(process.argv.slice(2)));
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  process.exitCode = 64;
}

function minutesOf(args: string[]): number {
  const { values } = parseArgs({ args, options: { minutes: { type: "string", default: "5" } } });
  const minutes = Number(values.minutes);
  if (!(minutes > 0 && minutes <= 24 * 60)) throw new Error("--minutes: expected a number up to 1440");
  return minutes;
}

async function run(minutes: number): Promise<number> {
  const path = `${join(ROOT, "node_modules", ".bin")}${delimiter}${process.env["PATH"] ?? ""}`;
  const child = spawn("vitest", ["run", "--project", "load", "--disable-console-intercept"], {
    cwd: ROOT,
    env: { ...process.env, LOAD_MINUTES: String(minutes), PATH: path },
    stdio: "inherit",
  });
  const [code] = await once(child, "exit");
  return code ?? 1;
}
