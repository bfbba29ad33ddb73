import { randomUUID } from "node:crypto";
import { beforeEach, expect, it, vi } from "vitest";
import type { EntitiesContext } from "../base/context.ts";
import { deriveKeys } from "../base/derived-keys.ts";
import type { EntitiesDatabase } from "../base/schema.ts";
import { ensureSaleEntity } from "../entities/sale-entities-store.ts";
import { openEntitiesDatabase } from "../testing/entities-database.ts";
import { sampleEntity, storeEntity } from "../testing/sample-entity.ts";
import { EntityStates } from "./entity-states.ts";
import { saleErasure } from "./erase-sale.ts";
import { RefusalCounts } from "./refusal-counts.ts";
import { DAY_MS, dayOf, readSaleDays } from "./sale-days-store.ts";

const [SALE, OTHER_SALE] = [randomUUID(), randomUUID()];
const NOW_MS = 1_800_000_000_000n;
const TODAY = dayOf(NOW_MS);
const derivedKeys = deriveKeys(Buffer.alloc(32, 9));

let database: EntitiesDatabase;
beforeEach(async () => {
  database = await openEntitiesDatabase();
});

const ensure = (entity: { readonly uuid: string }, nowMs = NOW_MS, saleUuid = SALE) =>
  ensureSaleEntity({ database, derivedKeys, clock: () => nowMs }, saleUuid, entity, "a@example.com");
const days = (saleUuid = SALE, sinceMs = NOW_MS - 29n * DAY_MS) =>
  database.read((query) => readSaleDays(query, saleUuid, sinceMs));

it("counts an entity on the day on which a sale saw it first, and once", async () => {
  const [first, second, third] = [
    await storeEntity(database),
    await storeEntity(database),
    await storeEntity(database),
  ];
  await Promise.all([ensure(first), ensure(first), ensure(second), ensure(first, NOW_MS, OTHER_SALE)]);
  await ensure(third, NOW_MS - DAY_MS);
  await ensure(third);
  expect(await days()).toEqual([
    { dayMs: TODAY - DAY_MS, name: "entity", count: 1n },
    { dayMs: TODAY, name: "entity", count: 2n },
  ]);
  expect(await days(OTHER_SALE)).toEqual([{ dayMs: TODAY, name: "entity", count: 1n }]);
  expect(await days(SALE, NOW_MS)).toHaveLength(1);
});

it("counts refusals by reason, also of the same moment and of several sales", async () => {
  const refusals = new RefusalCounts({ database, clock: () => NOW_MS } as EntitiesContext);
  await Promise.all([
    refusals.count(SALE, "wallet-not-linked"),
    refusals.count(SALE, "wallet-not-linked"),
    refusals.count(SALE, "unknown"),
    refusals.count(OTHER_SALE, "unknown"),
  ]);
  await refusals.count(SALE, "unknown");
  expect(await days()).toEqual([
    { dayMs: TODAY, name: "refused:unknown", count: 2n },
    { dayMs: TODAY, name: "refused:wallet-not-linked", count: 2n },
  ]);
  expect(await days(OTHER_SALE)).toEqual([{ dayMs: TODAY, name: "refused:unknown", count: 1n }]);
});

it("logs a refusal that can't be counted, and goes on", async () => {
  const warn = vi.fn();
  const broken = { ...database, write: () => Promise.reject(new Error("away")) };
  const refusals = new RefusalCounts({
    database: broken,
    clock: () => NOW_MS,
    logger: { warn },
  } as unknown as EntitiesContext);
  await refusals.count(SALE, "unknown");
  expect(warn).toHaveBeenCalledTimes(1);
});

it("counts the entities of a sale by state, an approval that has ended as not started", async () => {
  const states = [
    sampleEntity({ setupState: "complete", approvalExpiresAtMs: NOW_MS + 1n }),
    sampleEntity({ setupState: "complete", approvalExpiresAtMs: NOW_MS }),
    sampleEntity({ setupState: "not_started" }),
    sampleEntity({ setupState: "in_review" }),
  ];
  for (const state of states) await ensure(await storeEntity(database, state));
  await storeEntity(database, sampleEntity({ setupState: "failure" }));
  const counts = await new EntityStates({ database, clock: () => NOW_MS }).read(SALE);
  expect(Object.fromEntries(counts)).toEqual({ complete: 1n, not_started: 2n, in_review: 1n });
});

it("counts entities of more than one page, once for all who ask within a minute", async () => {
  const entities = await Promise.all(Array.from({ length: 501 }, () => storeEntity(database)));
  for (const entity of entities) await ensure(entity);
  const read = vi.spyOn(database, "read");
  const states = new EntityStates({ database, clock: () => NOW_MS });
  const [one, other] = await Promise.all([states.read(SALE), states.read(SALE)]);
  expect([one.get("not_started"), other]).toEqual([501n, one]);
  expect(await states.read(SALE)).toBe(one);
  expect(read).toHaveBeenCalledTimes(2);
});

it("counts again after a count that has failed", async () => {
  await ensure(await storeEntity(database));
  const read = vi.spyOn(database, "read").mockRejectedValueOnce(new Error("away"));
  const states = new EntityStates({ database, clock: () => NOW_MS });
  await expect(states.read(SALE)).rejects.toThrow("away");
  expect((await states.read(SALE)).get("not_started")).toBe(1n);
  expect(read).toHaveBeenCalledTimes(2);
});

it("erases the days of a sale, and not those of another", async () => {
  const entity = await storeEntity(database);
  await ensure(entity);
  await ensure(entity, NOW_MS, OTHER_SALE);
  await database.write((transaction) => saleErasure.short?.(transaction, SALE) ?? Promise.resolve());
  expect(await days()).toEqual([]);
  expect(await days(OTHER_SALE)).toHaveLength(1);
});
