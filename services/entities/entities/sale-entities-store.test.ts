import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { deriveKeys } from "../base/derived-keys.ts";
import type { EntitiesDatabase } from "../base/schema.ts";
import { openEntitiesDatabase } from "../testing/entities-database.ts";
import { sampleEntity, storeEntity } from "../testing/sample-entity.ts";
import { deleteEntityRow } from "./entities-store.ts";
import { type EntityIds, importedIdKey, insertImportedIds } from "./imported-ids-store.ts";
import { ensureSaleEntity, findSaleEntity, findSaleEntityOf } from "./sale-entities-store.ts";

const SALE = randomUUID();
const EMAIL = "a@example.com";
const NOW_MS = 1_800_000_000_000n;
const derivedKeys = deriveKeys(Buffer.alloc(32, 9));
const IMPORTED: EntityIds = { publicUuid: randomUUID(), saleSpecificId: new Uint8Array(16).fill(7) };

let database: EntitiesDatabase;
beforeEach(async () => {
  database = await openEntitiesDatabase();
});

const ensure = (saleUuid: string, entity: { readonly uuid: string }, email = EMAIL) =>
  ensureSaleEntity({ database, derivedKeys, clock: () => NOW_MS }, saleUuid, entity, email);
const importIds = (type: "person" | "organization", label = "", saleUuid = SALE) =>
  database.write((transaction) =>
    insertImportedIds(transaction, importedIdKey(derivedKeys, { saleUuid, email: EMAIL, type, label }), IMPORTED),
  );

it("makes IDs once for an entity and a sale, and others for another sale", async () => {
  const entity = await storeEntity(database);
  const [first, second] = await Promise.all([ensure(SALE, entity), ensure(SALE, entity)]);
  expect(second).toEqual(first);
  expect(first.entityUuid).toBe(entity.uuid);
  expect(first.saleSpecificId).toHaveLength(16);
  const other = await ensure(randomUUID(), entity);
  const ids = [entity.uuid, first.publicUuid, other.publicUuid, ...[first, other].map(hexOf)];
  expect(new Set(ids).size).toBe(ids.length);
});

it("finds an entity by its ID in the sale, and not by one of another sale or by its own", async () => {
  const entity = await storeEntity(database);
  const made = await ensure(SALE, entity);
  const find = (saleUuid: string, uuid: string) => database.read((query) => findSaleEntity(query, saleUuid, uuid));
  expect(await find(SALE, made.publicUuid.toUpperCase())).toEqual(made);
  expect(await find(randomUUID(), made.publicUuid)).toBeUndefined();
  expect(await find(SALE, entity.uuid)).toBeUndefined();
});

it("gives a person the imported IDs, whatever the label", async () => {
  await importIds("person");
  expect(await ensure(SALE, await storeEntity(database, { label: "Myself" }))).toMatchObject(IMPORTED);
});

it.each([
  ["another address", "person", {}, "b@example.com", SALE],
  ["another type", "organization", {}, EMAIL, SALE],
  ["an organization of another label", "organization", { type: "organization", label: "Beta" }, EMAIL, SALE],
  ["another sale", "person", {}, EMAIL, randomUUID()],
] as const)("gives imported IDs to nobody with %s", async (_, type, given, email, saleUuid) => {
  await importIds(type, "Alpha");
  const made = await ensure(saleUuid, await storeEntity(database, given), email);
  expect(made.publicUuid).not.toBe(IMPORTED.publicUuid);
});

it("gives an organization the IDs that were imported for its label", async () => {
  await importIds("organization", "Alpha");
  const alpha = await storeEntity(database, { type: "organization", label: "Alpha" });
  expect(await ensure(SALE, alpha)).toMatchObject(IMPORTED);
});

it("keeps imported IDs with the entity that had them, also after its deletion", async () => {
  await importIds("person");
  const gone = await storeEntity(database);
  await ensure(SALE, gone);
  await database.write((transaction) => deleteEntityRow(transaction, gone));
  const next = await ensure(SALE, await storeEntity(database, { accountUuid: gone.accountUuid }));
  expect(hexOf(next)).not.toBe(hexOf(IMPORTED));
  expect(await database.read((query) => findSaleEntityOf(query, SALE, gone.uuid))).toMatchObject(IMPORTED);
});

it("makes no IDs for an entity that is gone", async () => {
  await expect(ensure(SALE, sampleEntity())).rejects.toMatchObject({ code: "not_found" });
});

function hexOf({ saleSpecificId }: EntityIds): string {
  return Buffer.from(saleSpecificId).toString("hex");
}
