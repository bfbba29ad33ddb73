import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { type EntityTable, entityMigrations } from "../../../services/entities/base/entity-tables.ts";
import { migrateStore, openStore } from "../../../services/entities/base/open-store.ts";
import type { EntitiesDatabase } from "../../../services/entities/base/schema.ts";
import { describeEachDatabase } from "../../support/databases/databases.ts";
import { serviceOf } from "../../support/processes/describe-service.ts";
import { entitiesStore } from "../../support/processes/entities-fixture.ts";

const MIGRATION = "524_entity_open_question_moved";
const QUESTION = "Welches Register führt Sie?";

/** Stores an entity as a version without `open_question` does, about which a reviewer has asked. @returns its key */
async function storeEntity(database: EntitiesDatabase, given: Partial<EntityTable>): Promise<Uint8Array> {
  const entity = bytesOfHex(randomUUID());
  const person = { entity, account: bytesOfHex(randomUUID()), type: "person" as const, label: "Ann", country: "AT" };
  const none = { provider: null, submitted_at_ms: null, approval_expires_at_ms: null, locks: null };
  const reported = { reported_state: null, reported_check: null, open_question: null, approval_warned: 0 as const };
  const times = { setup_at_ms: 1n, created_at_ms: 1n, version: 3n };
  const setup = { setup_state: "in_progress", setup_reason: QUESTION };
  const asked = { entry: bytesOfHex(randomUUID()), entity, account: null, content: QUESTION, at_ms: 1n };
  await database.write(async (transaction) => {
    const row = { ...person, ...none, ...reported, ...times, ...setup, ...given };
    await transaction.insertInto("entity").values(row).execute();
    await transaction
      .insertInto("review_entry")
      .values({ ...asked, kind: "question" })
      .execute();
  });
  return entity;
}

describeEachDatabase("questions of a version that stored them as reasons", ({ create }) => {
  const opened = serviceOf(create, async (testDatabase) => {
    const database = await openStore(entitiesStore(testDatabase));
    await migrateStore(database);
    return { database, stop: () => database.close() };
  });

  it("become open questions, and reasons stay reasons", async () => {
    const { database } = opened();
    const stored = [
      { setup: {}, expected: ["", QUESTION] },
      { setup: { setup_reason: "The check has ended." }, expected: ["The check has ended.", null] },
      { setup: { setup_state: "failure" }, expected: [QUESTION, null] },
      { setup: { open_question: "Another?" }, expected: [QUESTION, "Another?"] },
    ] as const;
    const entities = await Promise.all(stored.map(({ setup }) => storeEntity(database, setup)));
    const migration = entityMigrations(database.dialect)[MIGRATION];
    await migration?.up(database.query);
    const rows = await database.query
      .selectFrom("entity")
      .select(["entity", "setup_reason", "open_question"])
      .execute();
    const byKey = new Map(rows.map((row) => [Buffer.from(row.entity).toString("hex"), row]));
    const found = entities.map((entity) => byKey.get(Buffer.from(entity).toString("hex")));
    expect(found.map((row) => [row?.setup_reason, row?.open_question])).toEqual(stored.map(({ expected }) => expected));
  });
});
