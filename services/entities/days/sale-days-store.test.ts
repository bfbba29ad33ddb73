import { randomUUID } from "node:crypto";
import { beforeEach, expect, it, vi } from "vitest";
import type { EntitiesContext } from "../base/context.ts";
import { deriveKeys } from "../base/derived-keys.ts";
import { lockSale } from "../base/lock-sale.ts";
import type { EntitiesDatabase } from "../base/schema.ts";
import { deleteEntityRow } from "../entities/entities-store.ts";
import { ensureSaleEntity } from "../entities/sale-entities-store.ts";
import { storeErasure } from "../permits/sale-permits-store.ts";
import { openEntitiesDatabase } from "../testing/entities-database.ts";
import { sampleEntity, storeEntity } from "../testing/sample-entity.ts";
import { saleErasure } from "./erase-sale.ts";
import { RefusalCounts } from "./refusal-counts.ts";
import { DAY_MS, dayOf, readRefusals } from "./sale-days-store.ts";
import { SaleEntityCounts } from "./sale-entity-counts.ts";

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
const countsOf = (saleUuid = SALE) => new SaleEntityCounts({ database, clock: () => NOW_MS }).read(saleUuid);
const refusalsOf = (saleUuid = SALE) => database.read((query) => readRefusals(query, saleUuid, NOW_MS - 29n * DAY_MS));
const counting = (given: Partial<EntitiesContext> = {}) =>
  new RefusalCounts({ database, clock: () => NOW_MS, ...given } as EntitiesContext);

it("counts an entity on the day on which a sale saw it first, also once it was deleted", async () => {
  const [first, second, third] = [
    await storeEntity(database),
    await storeEntity(database),
    await storeEntity(database),
  ];
  await Promise.all([ensure(first), ensure(first), ensure(second), ensure(first, NOW_MS, OTHER_SALE)]);
  await ensure(third, NOW_MS - DAY_MS);
  await ensure(third);
  await database.write((transaction) => deleteEntityRow(transaction, second));
  const counts = await countsOf();
  expect([...counts.byDay].toSorted()).toEqual([
    [TODAY - DAY_MS, 1n],
    [TODAY, 2n],
  ]);
  expect([...counts.byState]).toEqual([["not_started", 2n]]);
  expect([...(await countsOf(OTHER_SALE)).byDay]).toEqual([[TODAY, 1n]]);
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
  const { byState } = await countsOf();
  expect(Object.fromEntries(byState)).toEqual({ complete: 1n, not_started: 2n, in_review: 1n });
});

it("counts entities of more than one page, once for all who ask within a minute", async () => {
  const entities = await Promise.all(Array.from({ length: 501 }, () => storeEntity(database)));
  for (const entity of entities) await ensure(entity);
  const read = vi.spyOn(database, "read");
  const counts = new SaleEntityCounts({ database, clock: () => NOW_MS });
  const [one, other] = await Promise.all([counts.read(SALE), counts.read(SALE)]);
  expect([one.byState.get("not_started"), other]).toEqual([501n, one]);
  expect(await counts.read(SALE)).toBe(one);
  expect(read).toHaveBeenCalledTimes(2);
});

it("counts again after a count that has failed", async () => {
  await ensure(await storeEntity(database));
  const read = vi.spyOn(database, "read").mockRejectedValueOnce(new Error("away"));
  const counts = new SaleEntityCounts({ database, clock: () => NOW_MS });
  await expect(counts.read(SALE)).rejects.toThrow("away");
  expect((await counts.read(SALE)).byState.get("not_started")).toBe(1n);
  expect(read).toHaveBeenCalledTimes(2);
});

it("sums refusals up by sale and reason, and stores them in one transaction", async () => {
  const write = vi.spyOn(database, "write");
  const refusals = counting();
  for (const reason of ["wallet-not-linked", "unknown", "wallet-not-linked"]) refusals.count(SALE, reason);
  refusals.count(OTHER_SALE, "unknown");
  expect(write).not.toHaveBeenCalled();
  await refusals.flush();
  expect(write).toHaveBeenCalledTimes(1);
  refusals.count(SALE, "unknown");
  await refusals.flush();
  await refusals.flush();
  expect(write).toHaveBeenCalledTimes(2);
  expect(await refusalsOf()).toEqual([
    { dayMs: TODAY, reason: "unknown", count: 2n },
    { dayMs: TODAY, reason: "wallet-not-linked", count: 2n },
  ]);
  expect(await refusalsOf(OTHER_SALE)).toEqual([{ dayMs: TODAY, reason: "unknown", count: 1n }]);
});

it("stores refusals by itself a second later", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const refusals = counting();
    const flush = vi.spyOn(refusals, "flush");
    refusals.count(SALE, "unknown");
    refusals.count(SALE, "unknown");
    vi.advanceTimersByTime(1_000);
    expect(flush).toHaveBeenCalledTimes(1);
    await flush.mock.results[0]?.value;
    expect(await refusalsOf()).toEqual([{ dayMs: TODAY, reason: "unknown", count: 2n }]);
  } finally {
    vi.useRealTimers();
  }
});

it("logs refusals that can't be stored, and goes on", async () => {
  const warn = vi.fn();
  vi.spyOn(database, "write").mockRejectedValueOnce(new Error("away"));
  const refusals = counting({ logger: { warn } as unknown as EntitiesContext["logger"] });
  refusals.count(SALE, "unknown");
  await refusals.flush();
  expect(warn).toHaveBeenCalledTimes(1);
});

it("erases the days of a sale, not those of another, and stores none of it afterwards", async () => {
  const refusals = counting();
  for (const sale of [SALE, OTHER_SALE]) refusals.count(sale, "unknown");
  await refusals.flush();
  await database.write(async (transaction) => {
    await lockSale(transaction, database.dialect, SALE);
    await storeErasure(transaction, SALE, NOW_MS);
    await saleErasure.short?.(transaction, SALE);
  });
  for (const sale of [SALE, OTHER_SALE]) refusals.count(sale, "unknown");
  await refusals.flush();
  expect(await refusalsOf()).toEqual([]);
  expect(await refusalsOf(OTHER_SALE)).toMatchObject([{ count: 2n }]);
});
