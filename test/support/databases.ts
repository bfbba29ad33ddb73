import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { describe, inject } from "vitest";
import { createMariaDbDatabase } from "./mariadb.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** An empty database of one test's own. */
export type TestDatabase =
  | { readonly dialect: "sqlite"; readonly file: string; remove(): Promise<void> }
  | { readonly dialect: "mysql"; readonly url: string; remove(): Promise<void> };

/** A kind of database that store tests run on. */
export interface DatabaseVariant {
  readonly name: "sqlite" | "mariadb";
  /** Reason why tests can't run on it here; absent if they can. */
  readonly unavailable?: string;
  create(): Promise<TestDatabase>;
}

/** Every kind of database that a store must work on, those that aren't available here included. */
export function databases(): DatabaseVariant[] {
  return [{ name: "sqlite", create: createSqlite }, mariaDbVariant()];
}

/** Declares the same tests once for each kind of database; where one isn't available they show as skipped, by name. */
export function describeEachDatabase(title: string, tests: (variant: DatabaseVariant) => void): void {
  for (const variant of databases()) {
    const { name, unavailable } = variant;
    if (unavailable === undefined) describe(`${title} on ${name}`, () => tests(variant));
    else describe.skip(`${title} on ${name} (${unavailable})`, () => tests(variant));
  }
}

async function createSqlite(): Promise<TestDatabase> {
  const folder = await temporaryFolder();
  return { dialect: "sqlite", file: join(folder.path, "test.sqlite"), remove: folder.remove };
}

function mariaDbVariant(): DatabaseVariant {
  const { url: serverUrl, unavailable } = inject("mariaDb");
  const create = async (): Promise<TestDatabase> => {
    const url = await createMariaDbDatabase(serverUrl, `test_${randomBytes(8).toString("hex")}`);
    // All databases go with the server's data folder, at the end of the run.
    return { dialect: "mysql", url, remove: async () => {} };
  };
  return { name: "mariadb", create, ...(unavailable === undefined ? {} : { unavailable }) };
}
