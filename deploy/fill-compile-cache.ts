import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";

/**
 * Fills Node's compile cache for all commands of the image: `node deploy/fill-compile-cache.ts FOLDER`, run by deploy/Dockerfile as the
 * image's user, which is a part of the cache's keys. Everybody may read the files afterwards, and nobody may write.
 */
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: node deploy/fill-compile-cache.ts FOLDER");

const ROOT = dirname(import.meta.dirname);
/** Options of the image's entry point. */
const OPTIONS = ["--import", "./scripts/exact-paths.mjs", "--import", "./scripts/compile-cache/forget.mjs"];
/** Ends a command that hangs. */
const LIMIT_MS = 5 * 60_000;
/** The exit code of a process without its settings. */
const EXIT_CONFIG = 78;
const FILE_MODE = 0o444;
const FOLDER_MODE = 0o555;
const PORTS = ["GATEWAY", "ADMIN", "COMMITMENTS", "INDEXER", "AUTH", "ENTITIES", "DEMO_APP"];
const scratch = mkdtempSync(join(tmpdir(), "tidemark-"));
try {
  const ports = Object.fromEntries(PORTS.map((name) => [`${name}_PORT`, "0"]));
  await run(["services/embedded.ts"], { ...ports, DATA_DIR: scratch }, 0);
  await run(["services/cli/main.ts", "--help"], {}, 0);
  // What only some settings load: databases, the bus, chains.
  const imports = laterModules().map((path) => `import(${JSON.stringify(path)});`);
  await run(["--eval", imports.join("")], {}, 0);
  // Without settings each loads all its other modules, and ends.
  const mains = globSync(["gateway/main.ts", "services/*/main.ts"], { cwd: ROOT, exclude: ["services/cli/**"] });
  for (const main of mains) await run([main], {}, EXIT_CONFIG);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
for (const entry of globSync("**", { cwd: folder, withFileTypes: true }))
  chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? FOLDER_MODE : FILE_MODE);
chmodSync(folder, FOLDER_MODE);

/** Paths of the modules that some other module loads when it needs them. */
function laterModules(): readonly string[] {
  const files = globSync("{common,gateway,services}/**/*.ts", { cwd: ROOT }).map((file) => join(ROOT, file));
  const paths = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/\bimport\("(\.[^"]+\.ts)"\)/g)].map(([, path = ""]) =>
      join(dirname(file), path),
    ),
  );
  return [...new Set(paths)];
}

/** Runs a command until it exits. One that serves gets SIGTERM as soon as it is ready. @throws Error for another exit code */
async function run(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  expected: number,
): Promise<void> {
  const { NODE_OPTIONS = "", HOST = "127.0.0.1" } = process.env;
  const env = { NODE_OPTIONS, HOST, NODE_COMPILE_CACHE: folder, ...settings };
  const child = spawn(process.execPath, [...OPTIONS, ...args], {
    cwd: ROOT,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: LIMIT_MS,
  });
  const lines: string[] = [];
  for (const output of [child.stdout, child.stderr])
    createInterface({ input: output }).on("line", (line) => {
      lines.push(line);
      if (line.startsWith("Ctrl+C stops it")) child.kill("SIGTERM");
    });
  const [code] = await once(child, "close");
  if (code !== expected) throw new Error(`${args.join(" ")} ended with code ${code}:\n${lines.join("\n")}`);
}
