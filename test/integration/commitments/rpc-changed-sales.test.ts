import { randomBytes } from "node:crypto";
import { expect, it, onTestFinished } from "vitest";
import { SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { lookAtOutbox, type OutboxPoint } from "../../../services/commitments/reading/changed-sales-store.ts";
import { openCommitmentsDatabase } from "../../support/databases/commitments-database.ts";
import { describeEachDatabase } from "../../support/databases/databases.ts";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
import { SOON } from "../../support/repository/polling.ts";
import { apply, draftSale, openedSale, record } from "../../support/sales/sale-messages.ts";

describeCommitments("ListChangedSales", (service) => {
  const list = (cursor = "") => service().as("indexer").commitments.listChangedSales({ cursor });

  /** Waits until the relay has marked all events: later it would mark them anew. */
  async function published(): Promise<void> {
    const unmarked = () =>
      service().database.query.selectFrom("outbox").select("sale").where("published_at_ms", "is", null).execute();
    await expect.poll(unmarked, SOON).toEqual([]);
  }

  /** Makes everything so far as old as if it had been published long ago. */
  async function publishedLongAgo(): Promise<string> {
    await published();
    await service().database.query.updateTable("outbox").set({ published_at_ms: 1n }).execute();
    return (await list()).cursor;
  }

  it("lists nothing where nothing has changed, and what has changed otherwise", async () => {
    const [idle, opened] = [await openedSale(service()), await draftSale(service())];
    expect(await list()).toMatchObject({ complete: false, changed: [] });
    const cursor = await publishedLongAgo();
    expect(await list(cursor)).toMatchObject({ complete: true, changed: [] });
    const { sale } = await service().sales.openSale({ saleUuid: opened });
    const { changed, complete } = await list(cursor);
    expect(complete).toBe(true);
    const { generation, revision } = await service().commitments.getCommitmentData({ saleUuid: opened });
    expect(changed).toMatchObject([
      { saleUuid: opened, status: SaleStatus.OPEN, definitionVersion: sale?.definitionVersion },
    ]);
    expect(changed[0]?.revision).toMatchObject({ saleUuid: opened, generation, revision });
    await publishedLongAgo();
    await apply(service(), idle, { upserts: [record(1)] });
    expect((await list(cursor)).changed.map(({ saleUuid }) => saleUuid)).toEqual([idle]);
  });

  it("lists a sale that nobody can read any more, without a revision", async () => {
    const saleUuid = await openedSale(service());
    const name = (await service().sales.getSale({ saleUuid })).sale?.definition?.name ?? "";
    const cursor = await publishedLongAgo();
    await service().sales.withdrawSale({ saleUuid, confirmName: name });
    const { changed } = await list(cursor);
    expect(changed).toMatchObject([{ saleUuid, status: SaleStatus.WITHDRAWN }]);
    expect(changed[0]?.revision).toBeUndefined();
  });

  it("lists a change that began long before it was committed: it is unpublished then, or published later", async () => {
    const saleUuid = await openedSale(service());
    const cursor = await publishedLongAgo();
    const change = (columns: { created_at_ms: bigint; published_at_ms: bigint | null }) =>
      service().database.query.updateTable("outbox").set(columns).execute();
    const listed = async () => (await list(cursor)).changed.some((sale) => sale.saleUuid === saleUuid);
    expect(await listed()).toBe(false);
    const at = BigInt(cursor.split(" ")[0] ?? 0);
    await apply(service(), saleUuid, { upserts: [record(1)] });
    await published();
    await change({ created_at_ms: 1n, published_at_ms: at + 1n });
    // The newest row of the outbox is older than the cursor's: that is a restore.
    expect((await list(cursor)).complete).toBe(false);
    const [, ...rows] = (await list()).cursor.split(" ");
    const other = [at, ...rows].join(" ");
    expect(await list(other)).toMatchObject({ complete: true });
    expect((await list(other)).changed.map((sale) => sale.saleUuid)).toContain(saleUuid);
    await change({ created_at_ms: 1n, published_at_ms: null });
    expect((await list(other)).changed.map((sale) => sale.saleUuid)).toContain(saleUuid);
  });

  it("isn't complete after a restore, nor for a cursor that it hasn't given", async () => {
    const saleUuid = await openedSale(service());
    const cursor = await publishedLongAgo();
    expect((await list(cursor)).complete).toBe(true);
    const [at = "", newest = "", generation = "", ...rows] = cursor.split(" ");
    const later = `${BigInt(at) + 3_600_000n}`;
    const unknowns = [
      [at],
      [at, newest],
      [at, newest, generation],
      [later, newest, generation, ...rows],
      ["-1", newest, generation, ...rows],
      [at, newest, "0".repeat(16), ...rows],
    ];
    for (const unknown of ["x", ...unknowns.map((parts) => parts.join(" "))]) {
      expect((await list(unknown)).complete, unknown).toBe(false);
    }
    await service().database.query.deleteFrom("outbox").execute();
    expect((await list(cursor)).complete).toBe(false);
    expect(saleUuid).not.toBe("");
  });

  it.each([
    ["the newest change", 0n, 1n],
    ["one of the same time as a kept one", 0n, 0n],
    ["one that began earlier and was committed later", 10_000n, 0n],
  ])("isn't complete after a failover that lost %s, where another sale has changed since", async (_, age, step) => {
    const other = await openedSale(service());
    const cursor = await publishedLongAgo();
    const [, newest = ""] = cursor.split(" ");
    const [kept, lost] = [randomBytes(16), randomBytes(16)];
    const insert = (sale: Uint8Array, created_at_ms: bigint) => {
      const row = {
        sale,
        revision: 7n,
        generation: randomBytes(8),
        published_at_ms: 1n,
        event: null,
        trace_parent: null,
      };
      return service()
        .database.query.insertInto("outbox")
        .values({ ...row, created_at_ms })
        .execute();
    };
    await insert(kept, BigInt(newest));
    await insert(lost, BigInt(newest) + step - age);
    const later = (await list(cursor)).cursor;
    await apply(service(), other, { upserts: [record(1)] });
    expect((await list(later)).complete).toBe(true);
    await service().database.query.deleteFrom("outbox").where("sale", "=", lost).execute();
    expect((await list(later)).complete).toBe(false);
    // A row that is committed late doesn't stand for a lost one.
    await insert(randomBytes(16), BigInt(newest) - 5_000n);
    expect((await list(later)).complete).toBe(false);
  });

  it("isn't complete where more than a thousand sales have changed", async () => {
    const cursor = await publishedLongAgo();
    const rows = (count: number) =>
      Array.from({ length: count }, () => ({
        sale: randomBytes(16),
        revision: 1n,
        generation: randomBytes(8),
        created_at_ms: 1n,
        // Published in the future, as the relay of the fixture would publish others.
        published_at_ms: BigInt(cursor.split(" ")[0] ?? 0) + 3_600_000n,
        event: null,
        trace_parent: null,
      }));
    await service().database.query.insertInto("outbox").values(rows(1_000)).execute();
    expect(await list(cursor)).toMatchObject({ complete: true, changed: [] });
    await service().database.query.insertInto("outbox").values(rows(1)).execute();
    expect((await list(cursor)).complete).toBe(false);
  });

  it("isn't complete where more rows changed than it looks at, as after the bus was away, be it one sale's", async () => {
    const cursor = await publishedLongAgo();
    const [sale, generation] = [randomBytes(16), randomBytes(8)];
    const published_at_ms = BigInt(cursor.split(" ")[0] ?? 0) + 3_600_000n;
    const insert = (first: number, count: number) => {
      const row = { sale, generation, created_at_ms: 1n, published_at_ms, event: null, trace_parent: null };
      const rows = Array.from({ length: count }, (_, index) => ({ ...row, revision: BigInt(first + index) }));
      return service().database.query.insertInto("outbox").values(rows).execute();
    };
    for (let first = 1; first <= 20_000; first += 2_000) await insert(first, 2_000);
    expect(await list(cursor)).toMatchObject({ complete: true, changed: [] });
    await insert(20_001, 1);
    expect((await list(cursor)).complete).toBe(false);
  });
});

describeEachDatabase("the outbox", ({ create }) => {
  it("is counted up to a limit, beyond which it isn't known whether it still has all rows", async () => {
    const created = await create();
    onTestFinished(created.remove);
    const database = await openCommitmentsDatabase(created);
    onTestFinished(() => database.close());
    const rows = Array.from({ length: 4 }, (_, index) => ({
      sale: randomBytes(16),
      generation: randomBytes(8),
      created_at_ms: 50_000n + BigInt(index),
      published_at_ms: 1n,
      event: null,
      trace_parent: null,
      revision: 1n,
    }));
    await database.query.insertInto("outbox").values(rows.slice(0, 3)).execute();
    const look = (since: OutboxPoint | undefined, rows: number) =>
      lookAtOutbox(database, since, { overlapMillis: 0n, limits: { sales: 10, rows } });
    const knowsAll = async (since: OutboxPoint, rows: number) => (await look(since, rows)).changed !== undefined;
    expect((await look(undefined, 2)).point).toMatchObject({ newestMillis: 50_002n, count: 3n });
    const { point: before } = await look(undefined, 3);
    expect(before).toMatchObject({ newestMillis: 50_002n, count: 3n, sum: 150_006n });
    expect(await knowsAll(before, 3)).toBe(true);
    expect(await knowsAll(before, 2)).toBe(false);
    await database.query
      .insertInto("outbox")
      .values(rows.slice(3).map((row) => ({ ...row, created_at_ms: 40_000n })))
      .execute();
    expect(await knowsAll(before, 4)).toBe(true);
    expect(await knowsAll(before, 3)).toBe(false);
    const { point: limited } = await look(undefined, 2);
    expect(limited).toMatchObject({ newestMillis: 50_002n, count: 3n });
    expect(await knowsAll(limited, 2)).toBe(false);
  });

  it("has unpublished rows and published ones, counted together, and a sale of both once", async () => {
    const created = await create();
    onTestFinished(created.remove);
    const database = await openCommitmentsDatabase(created);
    onTestFinished(() => database.close());
    const row = {
      sale: randomBytes(16),
      generation: randomBytes(8),
      event: null,
      trace_parent: null,
    };
    const published = [2n, null, null, 0n].map((published_at_ms, index) => ({
      published_at_ms,
      revision: BigInt(index),
      // Only one is among the newest, whose number is bounded as well.
      created_at_ms: index === 0 ? 50_000n : 1n,
    }));
    await database.query
      .insertInto("outbox")
      .values(published.map((columns) => ({ ...row, ...columns })))
      .execute();
    const { point } = await lookAtOutbox(database, undefined, { overlapMillis: 0n, limits: { sales: 1, rows: 4 } });
    const bounds = { overlapMillis: point.atMillis - 1n };
    const read = async (sales: number, rows: number) =>
      (await lookAtOutbox(database, point, { ...bounds, limits: { sales, rows } })).changed;
    expect(await read(1, 3)).toEqual([]);
    expect(await read(1, 2)).toBeUndefined();
    expect(await read(0, 3)).toBeUndefined();
  });
});
