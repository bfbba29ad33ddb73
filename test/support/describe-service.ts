import { afterAll, beforeAll } from "vitest";
import { type DatabaseVariant, describeEachDatabase, type TestDatabase } from "./databases.ts";

/** Declares tests once for each kind of database, against a service of their own. */
export function describeService<Service extends { stop(): Promise<void> }>(
  title: string,
  start: (database: TestDatabase) => Promise<Service>,
  tests: (service: () => Service, variant: DatabaseVariant) => void,
): void {
  describeEachDatabase(title, (variant) => {
    let service: Service | undefined;
    let database: TestDatabase | undefined;
    beforeAll(async () => {
      database = await variant.create();
      service = await start(database);
    });
    afterAll(async () => {
      await service?.stop();
      await database?.remove();
    });
    tests(() => {
      if (service === undefined) throw new Error("the service is there within a test only");
      return service;
    }, variant);
  });
}
