import { randomUUID } from "node:crypto";
import { CompiledQuery, sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, vi } from "vitest";
import { mysqlDialect } from "../../../common/platform/db/mysql/mysql-dialect.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { SaleDefinition } from "../../../common/sale/definition/sale.ts";
import type { CommitmentRecord } from "../../../common/sale/record/commitment.ts";
import { acquireSaleLease } from "../../../services/commitments/applying/acquire-sale-lease-rpc.ts";
import { applyCommitments } from "../../../services/commitments/applying/apply-commitments-rpc.ts";
import { LoadedNodes } from "../../../services/commitments/base/loaded-nodes.ts";
import { getSale, readSaleSnapshot } from "../../../services/commitments/base/read-sale.ts";
import type { CommitmentsStore } from "../../../services/commitments/changing/commitments-store.ts";
import type { ApplyRequest } from "../../../services/commitments/changing/domain/prepare-apply.ts";
import type { OptimisticOutcome } from "../../../services/commitments/changing/optimistic/cached-sale-apply.ts";
import { optimisticLock, REFUSED_COLUMN } from "../../../services/commitments/changing/optimistic/optimistic-lock.ts";
import { MAX_NODES_OF_SALE } from "../../../services/commitments/changing/optimistic/sale-cache.ts";
import { SMALL_APPLY_ROWS } from "../../../services/commitments/changing/prefetch.ts";
import type { ApplyResult } from "../../../services/commitments/changing/repeated-request.ts";
import { createSale } from "../../../services/commitments/sales/create-sale-rpc.ts";
import { renewGeneration } from "../../../services/commitments/sales/renew-generation-rpc.ts";
import { auctionDefinition, evmSource, idOf, recordOf } from "../../../services/commitments/testing/samples.ts";
import { Random } from "../../../services/demo/bidders/random.ts";
import { NaiveSale } from "../../support/chains/naive-sale.ts";
import { APPLY_OPTIONS, openCommitmentsStore } from "../../support/databases/commitments-database.ts";
import { databases } from "../../support/databases/databases.ts";
import { expectFigures } from "../../support/databases/expected-figures.ts";
import { sumsFromRows, sumsStored } from "../../support/databases/tick-sums.ts";
import { openUnchecked, updateUnchecked } from "../../support/sales/unchecked-sales.ts";

const mariaDb = databases().find(({ name }) => name === "mariadb");
/** Changes in a row until a process changes a sale optimistically, and after such an attempt has failed. */
const UNTIL_TRUSTED = 3;
const UNTIL_TRUSTED_AGAIN = 6;
const ANY_REVISION = { generation: "", revision: 0n };

describe.skipIf(inject("mariaDb").unavailable !== undefined)("optimistic apply", () => {
  /** The stores of two processes. */
  let [mine, other]: CommitmentsStore[] = [];
  const own = () => mine as CommitmentsStore;
  const others = () => other as CommitmentsStore;
  beforeAll(async () => {
    const created = await mariaDb?.create();
    if (created === undefined) throw new Error("there is no MariaDB");
    mine = await openCommitmentsStore(created, { onOptimisticApply: (outcome) => void outcomes.push(outcome) });
    other = await openCommitmentsStore(created);
  });
  afterAll(async () => {
    await own().database.close();
    await others().database.close();
  });

  /** The outcomes of optimistic applies, as the first process counts them. */
  let outcomes: OptimisticOutcome[] = [];
  /** The beginning of the first statement of each message that was sent. */
  let messages: string[] = [];
  beforeEach(() => {
    messages = [];
    outcomes = [];
    const messageOf = mysqlDialect.messageOf?.bind(mysqlDialect) ?? (() => "");
    vi.spyOn(mysqlDialect, "messageOf").mockImplementation((statements) => {
      messages.push((statements[0]?.sql ?? "").split(" = ")[0] ?? "");
      return messageOf(statements);
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
  const LOCKED = "update sale_state set revision";
  const OPTIMISTIC = "update sale_state set generation";

  let saleUuid = "";
  let naive = new NaiveSale(auctionDefinition);
  let nextBid = 1;

  async function openedSale(definition: SaleDefinition = auctionDefinition): Promise<void> {
    saleUuid = randomUUID();
    naive = new NaiveSale(definition);
    nextBid = 1;
    await createSale(own(), { uuid: saleUuid, tenancy: "test", definition, ownerAccountUuid: "" });
    await openUnchecked(own(), saleUuid);
  }

  async function apply(store: CommitmentsStore, change: Partial<ApplyRequest>): Promise<ApplyResult> {
    const request = { saleUuid, requestId: randomUUID(), upserts: [], removals: [], ...change };
    const result = await applyCommitments(store, request, APPLY_OPTIONS);
    if (!result.repeated) naive.apply(request.upserts, request.removals, request.stage);
    return result;
  }

  function newBid(): CommitmentRecord {
    const number = nextBid++;
    return recordOf(number, { priceTicks: BigInt(100 + 5 * (number % 70)), createdAtSeconds: BigInt(number) });
  }

  const longBid = () => ({ ...newBid(), extraData: new Uint8Array(65_536) });

  const bid = (store = own(), change: Partial<ApplyRequest> = {}) => apply(store, { upserts: [newBid()], ...change });

  /** Opens a sale and changes it until this process changes it optimistically. */
  async function trustedSale(definition?: SaleDefinition, change: Partial<ApplyRequest> = {}): Promise<void> {
    await openedSale(definition);
    for (let count = 0; count < UNTIL_TRUSTED; count++) await bid(own(), change);
    messages = [];
    await bid(own(), change);
    expect(messages).toEqual([OPTIMISTIC]);
    messages = [];
    outcomes = [];
  }

  /** Makes a change look like one of an older version, which writes no token; long ago, so that its outbox rows are gone. */
  async function withoutToken(change: () => Promise<unknown>): Promise<void> {
    const row = await stateRow();
    const sale = bytesOfHex(saleUuid);
    await change();
    const tokens = { write_token: row?.write_token ?? null, wallets_token: row?.wallets_token ?? null };
    await own().database.query.updateTable("sale_state").set(tokens).where("sale", "=", sale).execute();
    await sql`delete from outbox where sale = ${sale}`.execute(own().database.query);
  }

  async function stateRow() {
    const query = own().database.query.selectFrom("sale_state").selectAll().where("sale", "=", bytesOfHex(saleUuid));
    return query.executeTakeFirst();
  }

  it("takes one message once this process has made three changes in a row", async () => {
    await openedSale();
    const perBid: string[][] = [];
    for (let count = 0; count < 6; count++) {
      messages = [];
      await bid();
      perBid.push(messages);
    }
    expect(perBid.map(([first]) => first)).toEqual([LOCKED, LOCKED, OPTIMISTIC, OPTIMISTIC, OPTIMISTIC, OPTIMISTIC]);
    expect(perBid.map(({ length }) => length)).toEqual([2, 2, 1, 1, 1, 1]);
    await expectFigures(own(), saleUuid, naive);
  });

  it("carries the demand of bids where the auction's rule counts it", async () => {
    const pricing = { ...auctionDefinition.pricing, incrementTicks: 1n, clearingRule: "lowest_not_outbid" };
    await trustedSale({ ...auctionDefinition, pricing } as SaleDefinition);
    const demands = [10n ** 26n, 0n, 3n * 10n ** 26n + 7n].map((demand) => ({ demand }));
    for (const demand of [...demands, {}])
      await bid(own(), { upserts: [{ ...newBid(), priceTicks: 1_000n, ...demand }] });
    expect(messages).toEqual([OPTIMISTIC, OPTIMISTIC, OPTIMISTIC, OPTIMISTIC]);
    expect(naive.figures().clearingTick).toBeGreaterThan(400n);
    await expectFigures(own(), saleUuid, naive);
  });

  it("takes one message for as many bids with extra data as it is tried with", async () => {
    await trustedSale();
    const upserts = Array.from({ length: SMALL_APPLY_ROWS }, () => ({ ...newBid(), extraData: new Uint8Array(1_024) }));
    await apply(own(), { upserts });
    expect(messages).toEqual([OPTIMISTIC]);
    await expectFigures(own(), saleUuid, naive);
  });

  it("stores the events for webhooks of a stage that comes with it", async () => {
    await trustedSale();
    await bid(own(), { stage: "commitment" });
    expect(messages).toEqual([OPTIMISTIC]);
    const events = await own()
      .database.query.selectFrom("webhook_event")
      .select(["type", "body"])
      .where("sale", "=", bytesOfHex(saleUuid))
      .where("type", "=", "sale.stage_changed")
      .execute();
    const { revision } = (await getSale(own().database, saleUuid)).state;
    expect(events.map(({ body }) => JSON.parse(body).data)).toMatchObject([
      { Stage: "commitment", Revision: revision.toString() },
    ]);
  });

  it("counts revisions on, keeps the lease, and leaves the same rows as a locked change", async () => {
    await trustedSale();
    const before = await bid();
    await acquireSaleLease(others(), { saleUuid, holder: "somebody", durationMillis: 60_000n });
    await withoutToken(() => acquireSaleLease(others(), { saleUuid, holder: "somebody", durationMillis: 120_000n }));
    const lease = (row: Awaited<ReturnType<typeof stateRow>>) => [row?.lease_holder, String(row?.lease_until_ms)];
    const held = lease(await stateRow());
    for (let count = 0; count < 9; count++) await bid();
    expect(messages.at(-1)).toBe(OPTIMISTIC);
    expect(lease(await stateRow())).toEqual(held);
    const { state } = await readSaleSnapshot(others(), saleUuid, ANY_REVISION);
    expect([state.generation, state.revision]).toEqual([before.generation, before.revision + 9n]);
    await expectFigures(own(), saleUuid, naive);
  });

  it.each<[string, () => Promise<unknown>]>([
    ["another process has changed it", () => bid(others())],
    ["a process of an older version has changed it", () => withoutToken(() => bid(others()))],
    ["it has begun another generation", () => renewGeneration(others(), saleUuid)],
    [
      "it has begun another generation, by an older version,",
      () => withoutToken(() => renewGeneration(others(), saleUuid)),
    ],
    [
      "it has other terms",
      async () => {
        const pricing = { kind: "auction", offeredAmount: 10n ** 20n, floorTicks: 90n, incrementTicks: 5n } as const;
        naive.definition = { ...naive.definition, pricing };
        const { sale } = await readSaleSnapshot(others(), saleUuid, ANY_REVISION);
        const draftOf = () => naive.definition;
        const terms = { saleUuid, draftOf, expectedVersion: sale.definitionVersion };
        await updateUnchecked(others(), terms);
      },
    ],
    [
      "it was settled and opened again",
      () => apply(others(), { stage: "done" }).then(() => apply(others(), { stage: "commitment" })),
    ],
  ])("locks the sale if %s", async (_, disturb) => {
    await trustedSale();
    await disturb();
    messages = [];
    await bid();
    expect(messages).toContain(LOCKED);
    await expectFigures(own(), saleUuid, naive);
    for (let count = 0; count <= UNTIL_TRUSTED_AGAIN; count++) await bid();
    await disturb();
    // A change that is never optimistic.
    await apply(own(), { upserts: [newBid()], removals: [idOf(1)] });
    await expectFigures(own(), saleUuid, naive);
    for (let count = 0; count <= UNTIL_TRUSTED_AGAIN; count++) await bid();
    expect(messages.at(-1)).toBe(OPTIMISTIC);
    await expectFigures(own(), saleUuid, naive);
  });

  it("locks the sale if a change set was begun, and its readers get the whole set", async () => {
    await trustedSale();
    const uuid = randomUUID();
    const part = (number: number, last: boolean) => ({ upserts: [newBid()], changeSet: { uuid, part: number, last } });
    await withoutToken(() => apply(others(), part(0, false)));
    await expect(
      applyCommitments(own(), { saleUuid, requestId: randomUUID(), upserts: [newBid()], removals: [] }, APPLY_OPTIONS),
    ).rejects.toThrow(`change set ${uuid} isn't finished`);
    await apply(own(), part(1, true));
    await expectFigures(own(), saleUuid, naive);
  });

  it("keeps the figures right after a change set of two processes, one of them of an older version", async () => {
    await trustedSale();
    const uuid = randomUUID();
    const part = (number: number, last: boolean) => ({ upserts: [newBid()], changeSet: { uuid, part: number, last } });
    await apply(own(), part(0, false));
    await withoutToken(() => apply(others(), part(1, false)));
    await apply(own(), part(2, true));
    await expectFigures(own(), saleUuid, naive);
  });

  it("locks the sale if somebody else has got its lease", async () => {
    await openedSale({ ...auctionDefinition, source: evmSource });
    const { epoch } = await acquireSaleLease(own(), { saleUuid, holder: "me", durationMillis: 1n });
    for (let count = 0; count <= UNTIL_TRUSTED + 1; count++) await bid(own(), { leaseEpoch: epoch });
    expect(messages.at(-1)).toBe(OPTIMISTIC);
    const next = await acquireSaleLease(others(), { saleUuid, holder: "somebody", durationMillis: 60_000n });
    expect(next.epoch).toBe(epoch + 1n);
    const late = { saleUuid, requestId: randomUUID(), upserts: [newBid()], removals: [], leaseEpoch: epoch };
    await expect(applyCommitments(own(), late, APPLY_OPTIONS)).rejects.toThrow(`lease epoch ${epoch} is over`);
    await bid(own(), { leaseEpoch: next.epoch });
    await expectFigures(own(), saleUuid, naive);
  });

  it("locks a sale that was restored from a backup and changed up to the same revision", async () => {
    await trustedSale();
    const backup = await rowsOf();
    const counted = naive;
    const { revision } = await bid();
    await bid();
    await restore(backup);
    naive = counted;
    naive.apply([], [idOf(nextBid - 1), idOf(nextBid - 2)], undefined);
    const again = await bid(others());
    expect(again.revision).toBe(revision);
    await bid(others());
    messages = [];
    await bid();
    expect(messages).toContain(LOCKED);
    await expectFigures(own(), saleUuid, naive);
  });

  it("answers not_found and writes nothing if a restored database doesn't have the sale", async () => {
    await trustedSale();
    await restore(new Map(TABLES.map((table) => [table, []])));
    await expect(bid()).rejects.toThrow(`there is no sale ${saleUuid}`);
    for (const rows of (await rowsOf()).values()) expect(rows).toEqual([]);
  });

  it("answers a repeated request as before, and refuses another one under its ID", async () => {
    await trustedSale();
    const requestId = randomUUID();
    const upserts = [newBid()];
    const first = await apply(own(), { requestId, upserts });
    expect(await apply(own(), { requestId, upserts })).toEqual({ ...first, repeated: true });
    await expect(apply(own(), { requestId, upserts: [newBid()] })).rejects.toThrow("was used with another payload");
    await expectFigures(own(), saleUuid, naive);
  });

  it.each<[string, () => Partial<ApplyRequest>]>([
    ["replaces a commitment", () => ({ upserts: [newBid(), recordOf(1, { priceTicks: 105n })] })],
    ["refunds one", () => ({ upserts: [recordOf(2, { refunded: true })] })],
    ["removes one", () => ({ removals: [idOf(3)] })],
    ["brings nothing that differs", () => ({ upserts: [recordOf(1, { priceTicks: 105n, createdAtSeconds: 1n })] })],
    ["settles it", () => ({ stage: "done", upserts: [newBid()] })],
    ["comes in a change set", () => ({ upserts: [newBid()], changeSet: { uuid: randomUUID(), part: 0, last: true } })],
    ["is too long for one message", () => ({ upserts: Array.from({ length: 8 }, () => longBid()) })],
  ])("keeps the figures right after an apply that %s", async (_, change) => {
    await trustedSale();
    await apply(own(), change());
    await expectFigures(own(), saleUuid, naive);
    for (let count = 0; count <= UNTIL_TRUSTED_AGAIN; count++) await bid();
    expect(messages.at(-1)).toBe(OPTIMISTIC);
    await expectFigures(own(), saleUuid, naive);
  });

  it("is tried less often after each failure, and as before once it succeeds", async () => {
    await trustedSale();
    const waits: number[] = [];
    for (let round = 0; round < 3; round++) {
      // This commitment is stored already, so that it can't be inserted.
      messages = [];
      await apply(own(), { upserts: [recordOf(1, { priceTicks: BigInt(200 + 5 * round) })] });
      expect(messages).toContain(LOCKED);
      let wait = 1;
      do {
        messages = [];
        await bid();
        wait++;
      } while (messages[0] === LOCKED);
      waits.push(wait);
    }
    expect(waits).toEqual([7, 13, 25]);
    for (let count = 0; count < 25; count++) await bid();
    await apply(own(), { upserts: [recordOf(1, { priceTicks: 300n })] });
    for (let count = 0; count < UNTIL_TRUSTED_AGAIN; count++) await bid();
    expect(messages.at(-1)).toBe(OPTIMISTIC);
    await expectFigures(own(), saleUuid, naive);
  });

  it("keeps the cached sale over a change without commitments", async () => {
    await openedSale({ ...auctionDefinition, source: evmSource });
    const { epoch: leaseEpoch } = await acquireSaleLease(own(), { saleUuid, holder: "me", durationMillis: 60_000n });
    const at = (height: bigint) => ({ leaseEpoch, sourcePosition: { height, hash: "a1".repeat(32) } });
    for (let height = 1n; height <= 4n; height++) await bid(own(), at(height));
    for (let height = 5n; height < 9n; height += 2n) {
      messages = [];
      await apply(own(), at(height));
      await bid(own(), at(height + 1n));
      expect(messages).toEqual([LOCKED, expect.anything(), OPTIMISTIC]);
    }
    await expectFigures(own(), saleUuid, naive);
  });

  it("refuses what the stored sale refuses, and continues", async () => {
    await trustedSale();
    const { revision } = await bid();
    await expect(bid(own(), { expectedRevision: revision - 1n })).rejects.toThrow(
      `the sale is at revision ${revision}`,
    );
    await expectFigures(own(), saleUuid, naive);
    expect(await bid()).toMatchObject({ revision: revision + 1n });
  });

  it("locks a sale with too many prices for each change", async () => {
    await openedSale();
    const upserts = Array.from({ length: MAX_NODES_OF_SALE }, (_, index) =>
      recordOf(1_000_000 + index, { priceTicks: BigInt(1_000 + index) }),
    );
    const options = { ...APPLY_OPTIONS, maxRows: MAX_NODES_OF_SALE };
    await applyCommitments(own(), { saleUuid, requestId: randomUUID(), upserts, removals: [] }, options);
    naive.apply(upserts, [], undefined);
    for (let count = 0; count < 5; count++) await bid();
    expect(messages).not.toContain(OPTIMISTIC);
    expect(await sumsStored(own().database, saleUuid)).toEqual(await sumsFromRows(own().database, saleUuid));
  });

  it("keeps the figures right after anything that two processes do to a sale alternately", {
    timeout: 120_000,
  }, async () => {
    await openedSale({ ...auctionDefinition, cancelledKeepsAmounts: true });
    const random = new Random(7);
    let hits = 0;
    for (let step = 0; step < 300; step++) {
      // Mostly one of them; the other one now and then.
      const store = random.integer(1, 25) === 1 ? others() : own();
      messages = [];
      await apply(store, anyChange(random));
      if (messages.join() === OPTIMISTIC) hits++;
      if (step % 10 === 9) await expectFigures(own(), saleUuid, naive);
    }
    await expectFigures(others(), saleUuid, naive);
    expect(hits).toBeGreaterThan(80);
  });

  it("loses no update when two processes bid at once", async () => {
    await trustedSale();
    for (let round = 0; round < 5; round++) {
      const bids = Array.from({ length: 8 }, (_, index) => bid(index % 4 === 0 ? others() : own()));
      const revisions = (await Promise.all(bids)).map(({ revision }) => revision);
      expect(new Set(revisions).size).toBe(bids.length);
    }
    await expectFigures(own(), saleUuid, naive);
    await expectFigures(others(), saleUuid, naive);
  });

  it("counts hits, conflicts and fallbacks", async () => {
    await trustedSale();
    await bid();
    expect(outcomes).toEqual(["hit"]);
    await bid(others());
    await bid();
    expect(outcomes).toEqual(["hit", "conflict"]);
    for (let count = 0; count < UNTIL_TRUSTED_AGAIN; count++) await bid();
    await apply(own(), { upserts: [recordOf(1, { priceTicks: 105n })] });
    expect(outcomes).toEqual(["hit", "conflict", "hit", "fallback"]);
  });

  it("throws an unexpected error, and doesn't run the change again", async () => {
    await trustedSale();
    let runs = 0;
    const failing = own().changes.run(
      saleUuid,
      async () => {
        runs++;
        throw new TypeError("a mistake in the code");
      },
      { tryOptimistic: true },
    );
    await expect(failing).rejects.toThrow(new TypeError("a mistake in the code"));
    expect(runs).toBe(1);
    expect(messages).toEqual([]);
    await bid();
    await expectFigures(own(), saleUuid, naive);
  });

  it("throws the database's error for a wrong statement", async () => {
    await trustedSale();
    const failing = own().changes.run(
      saleUuid,
      async ({ state, writes }) => {
        await writes.add([CompiledQuery.raw("insert into no_such_table values (1)")]);
        return { state, result: () => undefined };
      },
      { tryOptimistic: true },
    );
    await expect(failing).rejects.toThrow("no_such_table");
    expect(messages).toEqual([OPTIMISTIC]);
    await expectFigures(own(), saleUuid, naive);
  });

  it("rests on sessions that refuse a null instead of storing a zero", async () => {
    const mode = sql<{ mode: string }>`select @@session.sql_mode as mode`;
    expect((await mode.execute(own().database.query)).rows[0]?.mode).toContain("STRICT_ALL_TABLES");
  });

  it("refuses a row that wasn't updated by the lock, though it is there", async () => {
    await openedSale();
    const { sale, state } = await getSale(own().database, saleUuid);
    const cached = { sale, state, token: "a1".repeat(8), nodes: LoadedNodes.none(), changedAtMillis: 0n };
    const [, guard] = optimisticLock(mysqlDialect, cached, state, "b2".repeat(8));
    const refused = await own()
      .database.transact([guard])
      .catch((error: unknown) => error);
    expect(mysqlDialect.isNullRefused(refused, REFUSED_COLUMN)).toBe(true);
  });

  function anyChange(random: Random): Partial<ApplyRequest> {
    const known = () => recordOf(random.integer(1, nextBid), { priceTicks: BigInt(100 + 5 * random.integer(0, 400)) });
    const kind = random.integer(1, 80);
    if (kind === 1) return { upserts: [known()] };
    if (kind === 2) return { upserts: [{ ...known(), refunded: true }] };
    if (kind === 3) return { removals: [known().commitmentId] };
    if (kind === 4) return { stage: random.pick(["commitment", "done"]) };
    return { upserts: Array.from({ length: random.integer(1, 3) }, newBid) };
  }

  const TABLES = [
    "sale",
    "sale_state",
    "commitment",
    "commitment_wallet",
    "tick_node",
    "apply_request",
    "outbox",
    "history",
  ] as const;
  type Rows = ReadonlyMap<(typeof TABLES)[number], readonly Record<string, unknown>[]>;

  async function rowsOf(): Promise<Rows> {
    const rows = new Map<(typeof TABLES)[number], readonly Record<string, unknown>[]>();
    for (const table of TABLES) {
      const query = sql<
        Record<string, unknown>
      >`select * from ${sql.table(table)} where sale = ${bytesOfHex(saleUuid)}`;
      rows.set(table, (await query.execute(own().database.query)).rows);
    }
    return rows;
  }

  async function restore(backup: Rows): Promise<void> {
    for (const [table, rows] of backup) {
      await sql`delete from ${sql.table(table)} where sale = ${bytesOfHex(saleUuid)}`.execute(own().database.query);
      for (const row of rows) {
        const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)));
        await sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(row))})`.execute(
          own().database.query,
        );
      }
    }
  }
});
