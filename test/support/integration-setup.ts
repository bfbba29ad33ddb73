import type { TestProject } from "vitest/node";
import { startMariaDb } from "./mariadb.ts";
import { findProgram } from "./program.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The private MariaDB's URL without a database (empty where there is none), and why there is none. */
    mariaDb: { url: string; unavailable?: string };
  }
}

/** Starts the one MariaDB that all test files of a run share, each with databases of its own; returns its end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const unavailable = reasonAgainst();
  if (unavailable !== undefined) {
    project.provide("mariaDb", { url: "", unavailable });
    return async () => {};
  }
  const mariaDb = await startMariaDb();
  project.provide("mariaDb", { url: mariaDb.url });
  return () => mariaDb.stop();
}

/** `TEST_DATABASES=sqlite` leaves MariaDB out, for runs on another runtime where its own client isn't the question. */
function reasonAgainst(): string | undefined {
  if (process.env["TEST_DATABASES"] === "sqlite") return "left out by TEST_DATABASES";
  return findProgram("mariadbd") === undefined ? "mariadbd is not installed" : undefined;
}
