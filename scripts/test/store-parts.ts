import { NEWEST_MARIADB, newestMariaDb } from "./newest-mariadb.ts";
import type { Part, PartContext, PartResult } from "./part.ts";
import { skippedResult } from "./part.ts";
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
  const found = await newestMariaDb();
  if ("missing" in found) return skippedResult(`MariaDB ${NEWEST_MARIADB}: ${found.missing}`);
  const env = { TEST_DATABASES: "mariadb", TEST_MARIADB_FOLDER: found.path };
  return vitestPart(newest, { ...STORES, env }).check(context);
}
