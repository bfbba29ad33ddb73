import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SaleRevision } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleUpdatedSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_updated_pb.ts";
import { OTHER_SALE, SALE, saleAt } from "../../testing/fake-commitments.ts";
import { gatewayParts } from "../../testing/gateway-parts.ts";

async function withReadSale(variables: Record<string, string> = {}) {
  const parts = gatewayParts(variables);
  await parts.cache.read(SALE);
  return parts;
}

describe("RevisionRefresher", () => {
  it("keeps a sale fresh that is being read, without loading it again", async () => {
    const { refresher, cache, clock, fake } = await withReadSale();
    for (let i = 0; i < 10; i++) {
      clock.now += 400;
      await refresher.refresh();
      expect(cache.fresh(SALE)?.revision).toBe(1n);
    }
    expect(fake.loads).toHaveLength(1);
  });

  it("loads what has changed", async () => {
    const { refresher, cache, clock, fake } = await withReadSale();
    fake.sales.set(SALE, saleAt(2n));
    clock.now += 400;
    await refresher.refresh();
    expect(cache.fresh(SALE)?.revision).toBe(2n);
  });

  it("loads no sale more often than every 100 ms", async () => {
    const { refresher, cache, clock, fake } = await withReadSale();
    fake.sales.set(SALE, saleAt(2n));
    clock.now += 99;
    await refresher.refresh();
    expect(fake.loads).toHaveLength(1);
    clock.now += 1;
    await refresher.refresh();
    expect(cache.fresh(SALE)?.revision).toBe(2n);
  });

  it("believes another generation with a lower revision, but no older revision", async () => {
    const { refresher, cache, clock, fake } = await withReadSale();
    fake.sales.set(SALE, saleAt(9n));
    clock.now += 400;
    await refresher.refresh();
    fake.sales.set(SALE, saleAt(8n));
    clock.now += 400;
    await refresher.refresh();
    expect(cache.fresh(SALE)?.revision).toBe(9n);
    expect(fake.loads).toHaveLength(2);
    fake.sales.set(SALE, saleAt(1n, 2n));
    clock.now += 400;
    await refresher.refresh();
    expect(cache.fresh(SALE)?.revision).toBe(1n);
  });

  it("doesn't take a lower revision of the same generation for a word that what is held is current", async () => {
    const { refresher, cache, clock, fake } = await withReadSale();
    fake.sales.set(SALE, saleAt(0n));
    for (let i = 0; i < 3; i++) {
      clock.now += 400;
      await refresher.refresh();
    }
    expect(cache.fresh(SALE)).toBeUndefined();
  });

  it("takes it for confirmed where the body was replaced after the question", async () => {
    const { refresher, cache, clock, fake } = gatewayParts();
    fake.sales.set(SALE, { ...saleAt(1n), sale: {} });
    await cache.read(SALE);
    clock.now += 900;
    fake.hold();
    const refreshed = refresher.refresh();
    await expect.poll(() => fake.refreshes).toHaveLength(1);
    const changes = { totalAmountBefore: "1", commitmentCountBefore: 0n };
    const event = { saleUuid: SALE, generation: 1n, revision: 2n, readable: true, totalAmount: "2", changes };
    expect(cache.advance(create(SaleUpdatedSchema, event))).toBe(true);
    fake.release();
    await refreshed;
    clock.now += 200;
    expect(cache.fresh(SALE)?.revision).toBe(2n);
    expect(fake.loads).toHaveLength(1);
  });

  it("drops a sale that can't be read any more", async () => {
    const { refresher, cache, clock, fake } = await withReadSale();
    fake.sales.delete(SALE);
    clock.now += 400;
    await refresher.refresh();
    await expect(cache.read(SALE)).rejects.toMatchObject({ code: "not_found" });
  });

  it("asks no more for a sale that nobody reads", async () => {
    const { refresher, clock, fake } = await withReadSale({ CACHE_IDLE: "30s" });
    clock.now += 30_000;
    await refresher.refresh();
    expect(fake.refreshes).toStrictEqual([1]);
    clock.now += 1;
    await refresher.refresh();
    expect(fake.refreshes).toStrictEqual([1]);
  });

  it("asks in batches of a thousand at most", async () => {
    const { refresher, cache, fake } = gatewayParts();
    const sales = Array.from({ length: 1001 }, (_, i) => `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`);
    for (const sale of sales) fake.sales.set(sale, saleAt(1n));
    for (const sale of sales) await cache.read(sale);
    await refresher.refresh();
    expect(fake.refreshes).toStrictEqual([1000, 1]);
  });

  it("leaves it to loads to find out that a sale can't be read, and ends their failure when it is back", async () => {
    const { refresher, cache, clock, fake } = await withReadSale();
    fake.fail();
    clock.now += 1500;
    await refresher.refresh();
    for (let i = 0; i < 2; i++) expect(await cache.read(SALE)).toMatchObject({ ageSeconds: 1 });
    expect(fake.loads).toHaveLength(2);
    fake.recover();
    await refresher.refresh();
    expect(cache.fresh(SALE)?.revision).toBe(1n);
  });

  it("doesn't make answers older than CACHE_MAX_STALE when it fails and loads don't", async () => {
    const { refresher, cache, clock, fake, upstream } = await withReadSale();
    upstream.revisions = () => Promise.reject(new ConnectError("only GetRevisions fails", Code.Unavailable));
    // A revision each 400 ms, so that an answer is within a second while it is two behind at most.
    for (let revision = 2n; revision < 50n; revision++) {
      clock.now += 400;
      fake.sales.set(SALE, saleAt(revision));
      await refresher.refresh();
      const { representation, ageSeconds } = await cache.read(SALE);
      expect(ageSeconds).toBeUndefined();
      expect(representation.revision).toBeGreaterThanOrEqual(revision - 2n);
    }
  });

  it("goes on with the other sales while one call hangs", async () => {
    const { refresher, cache, clock, fake, upstream } = await withReadSale();
    const hung = Promise.withResolvers<ReadonlyMap<string, SaleRevision>>();
    const revisions = upstream.revisions.bind(upstream);
    upstream.revisions = (saleUuids) => (saleUuids.includes(SALE) ? hung.promise : revisions(saleUuids));
    const first = refresher.refresh();
    fake.sales.set(OTHER_SALE, saleAt(1n));
    await cache.read(OTHER_SALE);
    for (let i = 0; i < 5; i++) {
      clock.now += 400;
      await refresher.refresh();
      expect(cache.fresh(OTHER_SALE)?.revision).toBe(1n);
    }
    expect(fake.loads).toStrictEqual([SALE, OTHER_SALE]);
    hung.resolve(new Map());
    await first;
  });

  it("has 128 calls under way at most", async () => {
    const { refresher, cache, fake, upstream } = gatewayParts();
    const hung = Promise.withResolvers<ReadonlyMap<string, SaleRevision>>();
    let calls = 0;
    upstream.revisions = () => {
      calls++;
      return hung.promise;
    };
    const refreshes: Promise<void>[] = [];
    for (let i = 0; i < 130; i++) {
      const sale = `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`;
      fake.sales.set(sale, saleAt(1n));
      await cache.read(sale);
      refreshes.push(refresher.refresh());
    }
    expect(calls).toBe(128);
    hung.resolve(new Map());
    await Promise.all(refreshes);
  });

  it("doesn't ask while an answer is out", async () => {
    const { refresher, fake } = await withReadSale();
    fake.hold();
    const first = refresher.refresh();
    await refresher.refresh();
    fake.release();
    await first;
    expect(fake.refreshes).toHaveLength(1);
  });

  it("goes on asking for other sales while a load lasts, and doesn't load a sale twice at once", async () => {
    const { refresher, cache, clock, fake } = await withReadSale();
    fake.sales.set(OTHER_SALE, saleAt(1n));
    await cache.read(OTHER_SALE);
    fake.sales.set(SALE, saleAt(2n));
    clock.now += 400;
    const held = Promise.withResolvers<void>();
    const load = cache.load.bind(cache);
    cache.load = async (uuid) => {
      await held.promise;
      return load(uuid);
    };
    const first = refresher.refresh();
    await expect.poll(() => fake.refreshes.length).toBe(1);
    clock.now += 700;
    const second = refresher.refresh();
    await expect.poll(() => cache.fresh(OTHER_SALE)?.revision).toBe(1n);
    held.resolve();
    await Promise.all([first, second]);
    expect(fake.loads.filter((uuid) => uuid === SALE)).toHaveLength(2);
  });

  it("knows whether it has ever reached the service, with no sale read", async () => {
    const { refresher, fake } = gatewayParts();
    fake.fail();
    await refresher.refresh();
    expect(refresher.status()).toBe("has not answered yet");
    fake.fail(Code.Unauthenticated);
    await refresher.refresh();
    expect(refresher.status()).toContain("CALLER_KEY");
    fake.recover();
    await refresher.refresh();
    fake.fail();
    await refresher.refresh();
    expect(refresher.status()).toBe(true);
  });
});

describe("RevisionRefresher by its interval", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** A started refresher that has reached the service, and a wait that also moves the clock of the gateway. */
  async function started() {
    const parts = gatewayParts();
    const { refresher, clock } = parts;
    refresher.start(400);
    const pass = async (millis: number) => {
      for (let passed = 0; passed < millis; passed += 400) {
        clock.now += 400;
        await vi.advanceTimersByTimeAsync(400);
      }
    };
    await pass(400);
    return { ...parts, pass };
  }

  it("rests while nobody reads a sale, and keeps it fresh again from the next read on", async () => {
    const { refresher, cache, fake, pass, config } = await started();
    expect(vi.getTimerCount()).toBe(0);
    await cache.read(SALE);
    for (const revision of [2n, 3n]) {
      fake.sales.set(SALE, saleAt(revision));
      await pass(400);
      expect(cache.fresh(SALE)?.revision).toBe(revision);
    }
    const asked = fake.refreshes.length;
    await pass(config.cache.idleMs + 800);
    expect(vi.getTimerCount()).toBe(0);
    expect(fake.refreshes.length).toBeGreaterThan(asked);
    await cache.read(SALE);
    fake.sales.set(SALE, saleAt(4n));
    await pass(400);
    expect(cache.fresh(SALE)?.revision).toBe(4n);
    refresher.stop();
  });

  it("looks for a service that has never answered, though nobody reads a sale", async () => {
    const { refresher, fake } = gatewayParts();
    fake.fail();
    refresher.start(400);
    await vi.advanceTimersByTimeAsync(4_000);
    fake.recover();
    await vi.advanceTimersByTimeAsync(400);
    expect(refresher.status()).toBe(true);
    refresher.stop();
  });

  it("begins nothing more once it is stopped, also where a question was under way or somebody reads", async () => {
    const { refresher, cache, fake, pass } = await started();
    await cache.read(SALE);
    fake.sales.set(SALE, saleAt(2n));
    fake.hold();
    await pass(400);
    refresher.stop();
    fake.release();
    await pass(400);
    expect(fake.loads).toEqual([SALE]);
    await cache.read(SALE);
    await refresher.refresh();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("RevisionRefresher of sales whose figures aren't read from a contract, or are final", () => {
  const saleOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
  const still = (revision: bigint, generation = 1n) => ({ ...saleAt(revision, generation), feedState: {} });

  async function withSales(count: number) {
    const parts = gatewayParts();
    const sales = Array.from({ length: count }, (_, index) => saleOf(index));
    for (const sale of sales) parts.fake.sales.set(sale, still(1n));
    for (const sale of sales) await parts.cache.read(sale);
    // The first list only begins.
    await parts.refresher.refresh();
    parts.fake.lists.length = 0;
    parts.fake.refreshes.length = 0;
    const tick = () => {
      parts.clock.now += 400;
      return parts.refresher.refresh();
    };
    return { ...parts, sales, tick };
  }

  it.each([1, 3_000])("keeps %d sales fresh by one call each time", async (count) => {
    const { cache, fake, sales, tick } = await withSales(count);
    for (let round = 1; round <= 24; round++) {
      await tick();
      expect(sales.every((sale) => cache.fresh(sale) !== undefined)).toBe(true);
      expect([fake.lists.length, fake.refreshes.length]).toEqual([round, 0]);
      expect(sales.every((sale) => cache.feed(sale)?.knownAt === cache.feed(sale)?.confirmedAt)).toBe(true);
    }
    expect(fake.loads).toHaveLength(count);
  });

  it("asks for each of them every ten seconds", async () => {
    const { fake, tick } = await withSales(1_500);
    for (let round = 1; round <= 25; round++) await tick();
    expect(fake.refreshes).toEqual([1_000, 500]);
    for (let round = 1; round <= 25; round++) await tick();
    expect(fake.refreshes).toEqual([1_000, 500, 1_000, 500]);
  });

  it("goes on with lists for a sale that was asked for itself in the same round", async () => {
    const { cache, clock, fake, tick, upstream } = await withSales(1);
    const revisions = upstream.revisions.bind(upstream);
    upstream.revisions = (saleUuids) => {
      // Time passes between two questions of one round.
      clock.now += 1;
      return revisions(saleUuids);
    };
    for (let round = 0; round < 10; round++) await tick();
    fake.sales.set(SALE, still(1n));
    await cache.read(SALE);
    for (let round = 0; round < 60; round++) await tick();
    expect(fake.refreshes.length).toBeGreaterThan(2);
    expect(fake.refreshes.length).toBeLessThan(7);
  });

  it("asks for sales whose figures follow a contract, and for those that can't be said to be unchanged", async () => {
    const { cache, fake, tick } = await withSales(2);
    const asOf = { position: { height: 1n } };
    fake.sales.set(SALE, { ...saleAt(1n), feedState: { asOf } });
    await cache.read(SALE);
    await tick();
    expect(fake.refreshes).toEqual([1]);
    fake.sales.set(SALE, { ...saleAt(1n), feedState: { asOf, final: true } });
    await tick();
    await tick();
    expect(fake.refreshes).toEqual([1, 1]);
  });

  it("loads what a list names, and drops what can't be read any more", async () => {
    const { cache, fake, tick } = await withSales(3);
    fake.sales.set(saleOf(0), still(2n));
    fake.sales.set(saleOf(1), still(1n, 2n));
    fake.sales.delete(saleOf(2));
    await tick();
    expect(cache.fresh(saleOf(0))?.revision).toBe(2n);
    expect(cache.fresh(saleOf(1))?.generation).toBe(2n);
    await expect(cache.read(saleOf(2))).rejects.toMatchObject({ code: "not_found" });
  });

  it("asks for a sale whose change came by an event and is on no list: a failover may have lost it", async () => {
    const { cache, fake, tick } = await withSales(1);
    fake.sales.set(SALE, { ...still(1n), sale: {} });
    await cache.read(SALE);
    await tick();
    fake.refreshes.length = 0;
    const changes = { totalAmountBefore: "1", commitmentCountBefore: 0n };
    const event = { saleUuid: SALE, generation: 1n, revision: 2n, readable: true, totalAmount: "2", changes };
    expect(cache.advance(create(SaleUpdatedSchema, event))).toBe(true);
    await tick();
    expect(fake.refreshes).toEqual([]);
    await tick();
    expect(fake.refreshes).toEqual([1]);
    await tick();
    expect([cache.fresh(SALE), cache.fresh(saleOf(0))?.revision]).toEqual([undefined, 1n]);
    fake.sales.set(SALE, { ...still(2n), sale: {} });
    await tick();
    expect(cache.fresh(SALE)?.revision).toBe(2n);
    const asked = fake.refreshes.length;
    for (let round = 0; round < 5; round++) await tick();
    expect([cache.fresh(SALE)?.revision, fake.refreshes.length]).toEqual([2n, asked]);
  });

  it("asks for all at once where a list isn't complete, fails or isn't there, and confirms nothing by it", async () => {
    const { cache, fake, clock, sales, tick, upstream } = await withSales(3);
    fake.changeLists = "incomplete";
    await tick();
    expect(fake.refreshes).toEqual([3]);
    fake.changeLists = "complete";
    const changedSales = upstream.changedSales.bind(upstream);
    upstream.changedSales = () => Promise.reject(new ConnectError("only lists fail", Code.Unavailable));
    await tick();
    expect(fake.refreshes).toEqual([3, 3]);
    upstream.changedSales = changedSales;
    // The first one after a failure begins anew.
    await tick();
    expect(fake.refreshes).toEqual([3, 3, 3]);
    await tick();
    expect(fake.refreshes).toEqual([3, 3, 3]);
    fake.changeLists = "absent";
    await tick();
    await tick();
    expect(fake.refreshes).toEqual([3, 3, 3, 3, 3]);
    expect(sales.every((sale) => cache.fresh(sale) !== undefined)).toBe(true);
    clock.now += 2_000;
    expect(cache.fresh(saleOf(0))).toBeUndefined();
  });

  it("asks for the sales while a list takes long", async () => {
    const { cache, tick, upstream } = await withSales(1);
    const answer = Promise.withResolvers<"absent">();
    upstream.changedSales = () => answer.promise;
    const late = tick();
    for (let round = 0; round < 13; round++) {
      await tick();
      expect(cache.fresh(saleOf(0))).toBeDefined();
    }
    answer.resolve("absent");
    await late;
  });

  it("leaves a sale that was confirmed before the last list to its own question", async () => {
    const { cache, clock } = await withSales(1);
    expect(cache.isConfirmedByLists(saleOf(0), clock.now)).toBe(true);
    expect(cache.isConfirmedByLists(saleOf(0), clock.now + 1)).toBe(false);
    const list = { since: clock.now + 1, askedAt: clock.now + 2, changed: new Map() };
    clock.now += 1_002;
    cache.compareListed(saleOf(0), list);
    expect(cache.fresh(saleOf(0))).toBeUndefined();
    cache.compareListed(saleOf(0), { ...list, since: clock.now - 1_002 });
    expect(cache.fresh(saleOf(0))).toBeDefined();
  });
});
