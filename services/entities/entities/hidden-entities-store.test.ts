import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { openEntitiesDatabase } from "../testing/entities-database.ts";
import { storeEntity } from "../testing/sample-entity.ts";
import { readVisibleEntities } from "./hidden-entities-store.ts";

it("returns the entities of the account that aren't hidden from the application, the earliest first", async () => {
  const database = await openEntitiesDatabase();
  const accountUuid = randomUUID();
  const [clientUuid, otherClient] = [randomUUID(), randomUUID()];
  const organization = { accountUuid, type: "organization" } as const;
  const late = await storeEntity(database, { accountUuid, createdAtMs: 3n });
  const early = await storeEntity(database, { ...organization, createdAtMs: 1n });
  const hidden = await storeEntity(database, { ...organization, createdAtMs: 2n });
  await storeEntity(database);
  const row = { client: bytesOfHex(clientUuid), entity: bytesOfHex(hidden.uuid) };
  await database.write((transaction) => transaction.insertInto("hidden_entity").values(row).execute());
  const visibleTo = (client: string) => database.read((query) => readVisibleEntities(query, accountUuid, client));
  expect(await visibleTo(clientUuid)).toEqual([early, late]);
  expect(await visibleTo(otherClient)).toEqual([early, hidden, late]);
});
