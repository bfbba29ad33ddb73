import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { installPackages } from "./test/debian-packages.ts";
import type { Counts, Part } from "./test/part.ts";
import { Reruns } from "./test/part.ts";
import { parts, pathsPart } from "./test/parts.ts";
import { ROOT } from "./test/run-command.ts";
import { runParts, selectParts } from "./test/run-parts.ts";

const MINUTE_MS = 60_000;
// Limits that end a run which hangs.
const SHORT_LIMIT_MS = 22 * MINUTE_MS;
/** `.ci/run` says what is left of its 80 minutes. */
const LONG_LIMIT_MS = Number(process.env["TEST_MINUTES"] ?? 60) * MINUTE_MS;

// `npm test` and `npm run test:long` run all their parts, `npm test -- unit lint` only the named ones, and `npm test -- gateway/account`
// the tests in a folder or file; with `--all`, a part that has two sizes runs all its cases. The last line is `N passed, N failed`.
const options = { long: { type: "boolean" }, all: { type: "boolean" } } as const;
const { values, positionals } = parseArgs({ options, allowPositionals: true });
try {
  const paths = positionals.filter((name) => existsSync(join(ROOT, name)));
  const names = positionals.filter((name) => !paths.includes(name));
  const isWholeRun = positionals.length === 0;
  const counts = await runSelected([
    ...(isWholeRun || names.length > 0 ? selectParts(parts, names, values.long ? "long" : "short") : []),
    ...(paths.length > 0 ? [pathsPart(paths)] : []),
  ]);
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}

async function runSelected(selected: readonly Part[]): Promise<Counts> {
  console.log(`running ${selected.map((part) => part.name).join(", ")}`);
  const packages = selected.flatMap((part) => part.packages ?? []);
  await installPackages(packages, (line) => console.log(line));
  const folder = await mkdtemp(join(tmpdir(), "tidemark-"));
  // Servers of a database cluster that root starts run as another user (test/support/databases/mariadb.ts), and their folders are in this one.
  await chmod(folder, 0o711);
  const limitMs = values.long ? LONG_LIMIT_MS : SHORT_LIMIT_MS;
  try {
    const print = (text: string) => process.stdout.write(text);
    const reruns = Reruns.fromEnvironment(process.env);
    const isNamed = positionals.length > 0;
    const hasAll = values.all ?? false;
    return await runParts(selected, { folder, limitMs, reruns, isNamed, hasAll, now: () => performance.now(), print });
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
