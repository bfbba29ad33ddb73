import { globSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { differingFiles, generateCode } from "../generated-code.ts";
import { buildProtoImage, compareWithBaseline } from "../proto-baseline.ts";
import { auditPart } from "./audit-part.ts";
import { clusterPart, nodesPart } from "./cluster-part.ts";
import { commandsPart } from "./commands-part.ts";
import { conformancePart } from "./conformance-part.ts";
import { chartPart, compiledChartParts, composePart, releasePart, workflowsPart } from "./deploy-parts.ts";
import { installPart } from "./install-part.ts";
import { checkResult, type Part, type PartContext, type PartResult } from "./part.ts";
import { ROOT, runCommand } from "./run-command.ts";
import { schemathesisPart } from "./schemathesis-part.ts";
import { storeParts } from "./store-parts.ts";
import { vitestPart } from "./vitest-part.ts";

const MINUTE_MS = 60_000;

const SERVERS = ["mariadb-server", "nats-server"];

/** Sign-in pages in the second browser: what is kept over reloads and tabs, clicks, and what is typed. */
const FIREFOX_TESTS = ["account", "code-page", "double-clicks", "refused-forms"].map(
  (name) => `test/browser/${name}.test.ts`,
);

/** All parts, in the order in which they run. */
export const parts: readonly Part[] = [
  commandPart("lint", 8, ["biome", "ci", "--colors=off", "--error-on-warnings"]),
  commandPart("types", 12, ["tsc", "--noEmit", "--project", "."]),
  commandPart("proto-lint", 2, ["buf", "lint"]),
  { name: "proto-breaking", run: "short", budgetSeconds: 2, limitMs: MINUTE_MS, check: checkBreaking },
  { name: "generated-code", run: "short", budgetSeconds: 3, limitMs: MINUTE_MS, check: checkGenerated },
  commandPart("contracts", 14, ["node", "scripts/compile-contracts.ts", "--check"]),
  vitestPart({ name: "unit", run: "short", budgetSeconds: 85, limitMs: 10 * MINUTE_MS }, { projects: ["unit"] }),
  vitestPart(
    {
      name: "integration",
      run: "short",
      budgetSeconds: 162,
      limitMs: 25 * MINUTE_MS,
      packages: [...SERVERS, "python3"],
    },
    { projects: ["integration"] },
  ),
  vitestPart(
    { name: "faults", run: "short", budgetSeconds: 95, limitMs: 15 * MINUTE_MS, packages: SERVERS },
    { projects: ["faults"] },
  ),
  vitestPart(
    { name: "browser", run: "short", budgetSeconds: 100, limitMs: 15 * MINUTE_MS, packages: ["chromium", "openssl"] },
    { projects: ["browser"], needs: "chromium" },
  ),
  vitestPart({ name: "runtime", run: "short", budgetSeconds: 21, limitMs: 10 * MINUTE_MS }, { projects: ["runtime"] }),
  chartPart,
  composePart,
  auditPart,
  installPart,
  // A quick sample; the long run takes all.
  vitestPart(
    { name: "deno", run: "short", budgetSeconds: 5, limitMs: 10 * MINUTE_MS },
    { runtime: "deno", projects: ["unit"], paths: ["services/commitments"] },
  ),
  vitestPart({ name: "deno-unit", run: "long", limitMs: 15 * MINUTE_MS }, { runtime: "deno", projects: ["unit"] }),
  vitestPart(
    { name: "deno-sqlite", run: "long", limitMs: 20 * MINUTE_MS },
    {
      runtime: "deno",
      projects: ["integration", "slow"],
      paths: ["test/integration"],
      env: { TEST_DATABASES: "sqlite" },
    },
  ),
  vitestPart(
    { name: "slow", run: "long", slowTestsOf: "integration", limitMs: 20 * MINUTE_MS, packages: SERVERS },
    { projects: ["slow"], paths: ["test/integration"] },
  ),
  vitestPart(
    {
      name: "slow-browser",
      run: "long",
      slowTestsOf: "browser",
      limitMs: 15 * MINUTE_MS,
      packages: ["chromium", "openssl"],
    },
    { projects: ["slow"], paths: ["test/browser"], needs: "chromium" },
  ),
  vitestPart(
    { name: "firefox", run: "long", limitMs: 10 * MINUTE_MS, packages: ["firefox-esr", "openssl"] },
    { projects: ["browser", "slow"], paths: FIREFOX_TESTS, env: { TEST_BROWSER: "firefox" }, needs: "firefox-esr" },
  ),
  schemathesisPart,
  workflowsPart,
  releasePart,
  conformancePart,
  commandsPart,
  vitestPart({ name: "upgrade", run: "long", limitMs: 15 * MINUTE_MS, packages: SERVERS }, { projects: ["upgrade"] }),
  vitestPart(
    { name: "faults-long", run: "long", limitMs: 30 * MINUTE_MS, packages: SERVERS },
    { projects: ["faults", "slow-faults"], env: { TEST_LONG: "1" } },
  ),
  // Last, as they take longest: what a run has no time for is skipped by name.
  ...storeParts,
  ...compiledChartParts,
  clusterPart,
  nodesPart,
];

/**
 * Returns a part of the tests in files and folders, each with the set-up of its project, slow or not. Throws an Error that names a
 * path without tests.
 */
export function pathsPart(paths: readonly string[]): Part {
  const empty = paths.find((path) => globSync([path, `${path}/**`], { cwd: ROOT }).every((file) => !isTest(file)));
  if (empty !== undefined) throw new Error(`there are no tests in ${empty}`);
  const packages = [...SERVERS, "chromium", "openssl"];
  return vitestPart({ name: "paths", run: "short", limitMs: 25 * MINUTE_MS, packages }, { projects: [], paths });
}

function isTest(file: string): boolean {
  return file.endsWith(".test.ts");
}

/** A part that is one command and counts as one test. */
function commandPart(name: string, budgetSeconds: number, [command = name, ...args]: readonly string[]): Part {
  const check = async ({ limitMs }: PartContext) => {
    const result = await runCommand({ command, args, limitMs });
    return checkResult(result.ok, result.output);
  };
  return { name, run: "short", budgetSeconds, limitMs: 5 * MINUTE_MS, check };
}

async function checkBreaking({ folder }: PartContext): Promise<PartResult> {
  const image = join(folder, "protos.binpb");
  const built = await buildProtoImage(ROOT, image);
  const result = built.ok ? await compareWithBaseline(image) : built;
  return checkResult(result.ok, result.output);
}

async function checkGenerated({ folder }: PartContext): Promise<PartResult> {
  const output = join(folder, "generated");
  await mkdir(output);
  const error = await generateCode(output);
  if (error !== undefined) return checkResult(false, error);
  const stale = await differingFiles(join(output, "proto", "gen"), join(ROOT, "proto", "gen"));
  return checkResult(stale.length === 0, `Not what the protos say; run \`npm run generate\`:\n  ${stale.join("\n  ")}`);
}
