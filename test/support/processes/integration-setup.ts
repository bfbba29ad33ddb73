import type { TestProject } from "vitest/node";
import { missingForGalera, startGalera } from "../databases/galera.ts";
import { findMariaDbProgram, startMariaDb } from "../databases/mariadb.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** URLs of the private MariaDB, or of all servers of a cluster, without a database; or why there is none. */
    mariaDb: { urls: readonly string[]; unavailable?: string };
  }
}

/** Starts the one MariaDB that all test files of a run share, each with databases of its own; returns its end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const unavailable = reasonAgainst();
  if (unavailable !== undefined) {
    project.provide("mariaDb", { urls: [], unavailable });
    return async () => {};
  }
  const stack = new AsyncDisposableStack();
  const servers = isCluster()
    ? await startGalera(stack)
    : [stack.adopt(await startMariaDb(), (server) => server.stop())];
  project.provide("mariaDb", { urls: servers.map(({ url }) => url) });
  return () => stack.disposeAsync();
}

/** `TEST_DATABASES=galera`: MariaDB is a cluster of three. */
function isCluster(): boolean {
  return process.env["TEST_DATABASES"] === "galera";
}

/** `TEST_DATABASES=sqlite` leaves MariaDB out, for runs on another runtime where its own client isn't the question. */
function reasonAgainst(): string | undefined {
  if (process.env["TEST_DATABASES"] === "sqlite") return "left out by TEST_DATABASES";
  const missing = isCluster() ? missingForGalera() : findMariaDbProgram("mariadbd") === undefined ? ["mariadbd"] : [];
  return missing.length === 0 ? undefined : `${missing.join(", ")} is not installed`;
}
