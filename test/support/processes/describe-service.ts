import { afterAll, beforeAll } from "vitest";
import { type DatabaseVariant, describeEachDatabase, type TestDatabase } from "../databases/databases.ts";

interface TestService {
  stop(): Promise<void>;
}

/** Declares tests once for each kind of database, against a service of their own. */
export function describeService<Service extends TestService>(
  title: string,
  start: (database: TestDatabase) => Promise<Service>,
  tests: (service: () => Service, variant: DatabaseVariant) => void,
): void {
  describeEachDatabase(title, (variant) => tests(serviceOf(variant.create, start), variant));
}

/** Starts a service before the tests of a `describe`, on a database of its own, and ends it after them. */
export function serviceOf<Service extends TestService>(
  createDatabase: () => Promise<TestDatabase>,
  start: (database: TestDatabase) => Promise<Service>,
): () => Service {
  let service: Service | undefined;
  let database: TestDatabase | undefined;
  beforeAll(async () => {
    database = await createDatabase();
    service = await start(database);
  });
  afterAll(async () => {
    await service?.stop();
    await database?.remove();
  });
  return () => {
    if (service === undefined) throw new Error("the service is there within a test only");
    return service;
  };
}
