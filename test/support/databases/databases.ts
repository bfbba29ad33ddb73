import { randomBytes } from "node:crypto";
import { join } from "node:path";
import process from "node:process";
import { createConnection } from "mysql2/promise";
import { describe, inject } from "vitest";
import { temporaryFolder } from "../processes/temporary-folder.ts";
import { createMariaDbDatabase } from "./mariadb.ts";

/** An empty database of one test's own. */
export type TestDatabase =
  | { readonly dialect: "sqlite"; readonly file: string; remove(): Promise<void> }
  | {
      readonly dialect: "mysql";
      readonly url: string;
      /** The same database at the other servers where MariaDB is a cluster. */
      readonly otherUrls?: readonly string[];
      remove(): Promise<void>;
    };

/** A kind of database that store tests run on. */
export interface DatabaseVariant {
  readonly name: "sqlite" | "mariadb";
  /** Reason why tests can't run on it here; absent if they can. */
  readonly unavailable?: string;
  create(): Promise<TestDatabase>;
}

/**
 * Every kind of database that a store must work on, those that aren't available here included. With `TEST_DATABASES` of
 * `mariadb` or `galera`, only that.
 */
export function databases(): DatabaseVariant[] {
  const only = ["mariadb", "galera"].includes(process.env["TEST_DATABASES"] ?? "");
  return [...(only ? [] : [{ name: "sqlite", create: createSqlite } as const]), mariaDbVariant()];
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
  const { urls: serverUrls, unavailable } = inject("mariaDb");
  const create = async (): Promise<TestDatabase> => {
    const name = `test_${randomBytes(8).toString("hex")}`;
    const [serverUrl = "", ...others] = serverUrls;
    const url = await createMariaDbDatabase(serverUrl, name);
    await Promise.all(others.map(awaitOthers));
    const otherUrls = others.map((other) => `${other}/${name}`);
    // All databases go with the server's data folder, at the end of the run.
    return { dialect: "mysql", url, otherUrls, remove: async () => {} };
  };
  return { name: "mariadb", create, ...(unavailable === undefined ? {} : { unavailable }) };
}

/** Waits until a server of a cluster has what was done on the others. */
async function awaitOthers(serverUrl: string): Promise<void> {
  const connection = await createConnection(serverUrl);
  await connection.query("show databases");
  await connection.end();
}
