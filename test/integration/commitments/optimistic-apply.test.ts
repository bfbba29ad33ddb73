import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, vi } from "vitest";
import type { ApplyRequest } from "../../../services/commitments/domain/apply/prepare-apply.ts";
import type { CommitmentRecord } from "../../../services/commitments/domain/sale/commitment.ts";
import type { SaleDefinition } from "../../../services/commitments/domain/sale/sale.ts";
import { MAX_NODES_OF_SALE } from "../../../services/commitments/store/optimistic-apply/sale-cache.ts";
import { readSaleSnapshot } from "../../../services/commitments/store/read/read-sale.ts";
import { auctionDefinition, evmSource, idOf, recordOf } from "../../../services/commitments/testing/samples.ts";
import { acquireSaleLease } from "../../../services/commitments/use-cases/acquire-sale-lease.ts";
import { type ApplyResult, applyCommitments } from "../../../services/commitments/use-cases/apply-commitments.ts";
import type { CommitmentsStore } from "../../../services/commitments/use-cases/commitments-store.ts";
import { createSale } from "../../../services/commitments/use-cases/create-sale.ts";
import { openSale } from "../../../services/commitments/use-cases/open-sale.ts";
import { renewGeneration } from "../../../services/commitments/use-cases/renew-generation.ts";
import { updateSale } from "../../../services/commitments/use-cases/update-sale.ts";
import { Random } from "../../../services/demo/random.ts";
import { mysqlDialect } from "../../../services/shared/db/mysql/mysql-dialect.ts";
import { bytesOfHex } from "../../../services/shared/encoding/hex.ts";
import { APPLY_OPTIONS, openCommitmentsStore } from "../../support/commitments-database.ts";
import { databases } from "../../support/databases.ts";
import { expectFigures } from "../../support/expected-figures.ts";
import { NaiveSale } from "../../support/naive-sale.ts";
import { sumsFromRows, sumsStored } from "../../support/tick-sums.ts";

const mariaDb = databases().find(({ name }) => name === "mariadb");
/** Changes in a row until a process goes by what it remembers; and after it did so in vain. */
const UNTIL_TRUSTED = 3;
const UNTIL_TRUSTED_AGAIN = 6;
const ANY_REVISION = { generation: "", revision: 0n };

describe.skipIf(inject("mariaDb").unavailable !== undefined)("a sale that is changed as a process remembers it", () => {
  /** As of two processes. */
  let [mine, other]: CommitmentsStore[] = [];
  const own = () => mine as CommitmentsStore;
  const others = () => other as CommitmentsStore;
  beforeAll(async () => {
    const created = await mariaDb?.create();
    if (created === undefined) throw new Error("there is no MariaDB");
    mine = await openCommitmentsStore(created);
    other = await openCommitmentsStore(created);
  });
  afterAll(async () => {
    await own().database.close();
    await others().database.close();
  });

  /** Of each message that was sent, how its first statement begins. */
  let messages: string[] = [];
  beforeEach(() => {
    messages = [];
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
  const BY_MEMORY = "update sale_state set generation";

  let saleUuid = "";
  let naive = new NaiveSale(auctionDefinition);
  let nextBid = 1;

  async function openedSale(definition: SaleDefinition = auctionDefinition): Promise<void> {
    saleUuid = randomUUID();
    naive = new NaiveSale(definition);
    nextBid = 1;
    await createSale(own(), { uuid: saleUuid, tenancy: "test", definition, ownerAccountUuid: "" });
    await openSale(own(), saleUuid, async () => {});
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

  /** A sale that this process has changed so often that it goes by memory. */
  async function trustedSale(definition?: SaleDefinition, change: Partial<ApplyRequest> = {}): Promise<void> {
    await openedSale(definition);
    for (let count = 0; count < UNTIL_TRUSTED; count++) await bid(own(), change);
    messages = [];
    await bid(own(), change);
    expect(messages).toEqual([BY_MEMORY]);
    messages = [];
  }

  /** What another process of the version before writes, which knows of no token; long ago, as its rows of the outbox are gone. */
  async function withoutToken(change: () => Promise<unknown>): Promise<void> {
    const row = await stateRow();
    const sale = bytesOfHex(saleUuid);
    await change();
    await sql`update sale_state set write_token = ${row?.write_token} where sale = ${sale}`.execute(
      own().database.query,
    );
    await sql`delete from outbox where sale = ${sale}`.execute(own().database.query);
  }

  async function stateRow() {
    const query = own().database.query.selectFrom("sale_state").selectAll().where("sale", "=", bytesOfHex(saleUuid));
    return query.executeTakeFirst();
  }

  it("takes one message, once this process has made three changes in a row", async () => {
    await openedSale();
    const perBid: string[][] = [];
    for (let count = 0; count < 6; count++) {
      messages = [];
      await bid();
      perBid.push(messages);
    }
    expect(perBid.map(([first]) => first)).toEqual([LOCKED, LOCKED, BY_MEMORY, BY_MEMORY, BY_MEMORY, BY_MEMORY]);
    expect(perBid.map(({ length }) => length)).toEqual([2, 2, 1, 1, 1, 1]);
    await expectFigures(own(), saleUuid, naive);
  });

  it("counts revisions on, keeps the lease, and leaves the same rows as one that is read", async () => {
    await trustedSale();
    const before = await bid();
    await acquireSaleLease(others(), { saleUuid, holder: "somebody", durationMillis: 60_000n });
    await withoutToken(() => acquireSaleLease(others(), { saleUuid, holder: "somebody", durationMillis: 120_000n }));
    const lease = (row: Awaited<ReturnType<typeof stateRow>>) => [row?.lease_holder, String(row?.lease_until_ms)];
    const held = lease(await stateRow());
    for (let count = 0; count < 9; count++) await bid();
    expect(messages.at(-1)).toBe(BY_MEMORY);
    expect(lease(await stateRow())).toEqual(held);
    const { state } = await readSaleSnapshot(others(), saleUuid, ANY_REVISION);
    expect([state.generation, state.revision]).toEqual([before.generation, before.revision + 9n]);
    await expectFigures(own(), saleUuid, naive);
  });

  it.each<[string, () => Promise<unknown>]>([
    ["another process has changed it", () => bid(others())],
    ["a process of the version before has changed it", () => withoutToken(() => bid(others()))],
    ["it has begun another generation", () => renewGeneration(others(), saleUuid)],
    [
      "it has begun another generation, by the version before,",
      () => withoutToken(() => renewGeneration(others(), saleUuid)),
    ],
    [
      "it has other terms",
      async () => {
        const pricing = { kind: "auction", offeredAmount: 10n ** 20n, floorTicks: 90n, incrementTicks: 5n } as const;
        naive.definition = { ...naive.definition, pricing };
        const { sale } = await readSaleSnapshot(others(), saleUuid, ANY_REVISION);
        const terms = { saleUuid, draft: naive.definition, expectedVersion: sale.definitionVersion };
        await updateSale(others(), terms, async () => {});
      },
    ],
    [
      "was settled and opened again",
      () => apply(others(), { stage: "done" }).then(() => apply(others(), { stage: "commitment" })),
    ],
  ])("is read where %s since", async (_, disturb) => {
    await trustedSale();
    await disturb();
    messages = [];
    await bid();
    expect(messages).toContain(LOCKED);
    await expectFigures(own(), saleUuid, naive);
    for (let count = 0; count <= UNTIL_TRUSTED_AGAIN; count++) await bid();
    await disturb();
    // A change that is never made by memory.
    await apply(own(), { upserts: [newBid()], removals: [idOf(1)] });
    await expectFigures(own(), saleUuid, naive);
    for (let count = 0; count <= UNTIL_TRUSTED_AGAIN; count++) await bid();
    expect(messages.at(-1)).toBe(BY_MEMORY);
    await expectFigures(own(), saleUuid, naive);
  });

  it("is read, and its readers get the whole set, where a change set is open since", async () => {
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

  it("has right figures after a change set that two processes have brought, one of them of the version before", async () => {
    await trustedSale();
    const uuid = randomUUID();
    const part = (number: number, last: boolean) => ({ upserts: [newBid()], changeSet: { uuid, part: number, last } });
    await apply(own(), part(0, false));
    await withoutToken(() => apply(others(), part(1, false)));
    await apply(own(), part(2, true));
    await expectFigures(own(), saleUuid, naive);
  });

  it("is read where somebody else has its lease since", async () => {
    await openedSale({ ...auctionDefinition, source: evmSource });
    const { epoch } = await acquireSaleLease(own(), { saleUuid, holder: "me", durationMillis: 1n });
    for (let count = 0; count <= UNTIL_TRUSTED + 1; count++) await bid(own(), { leaseEpoch: epoch });
    expect(messages.at(-1)).toBe(BY_MEMORY);
    const next = await acquireSaleLease(others(), { saleUuid, holder: "somebody", durationMillis: 60_000n });
    expect(next.epoch).toBe(epoch + 1n);
    const late = { saleUuid, requestId: randomUUID(), upserts: [newBid()], removals: [], leaseEpoch: epoch };
    await expect(applyCommitments(own(), late, APPLY_OPTIONS)).rejects.toThrow(`lease epoch ${epoch} is over`);
    await bid(own(), { leaseEpoch: next.epoch });
    await expectFigures(own(), saleUuid, naive);
  });

  it("is read where it was restored from a backup, and changed up to the same revision", async () => {
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

  it("is not found, and nothing is written, where a restored database doesn't know it", async () => {
    await trustedSale();
    await restore(new Map(TABLES.map((table) => [table, []])));
    await expect(bid()).rejects.toThrow(`there is no sale ${saleUuid}`);
    for (const rows of (await rowsOf()).values()) expect(rows).toEqual([]);
  });

  it("answers a request that is sent again as it did, and refuses another under its ID", async () => {
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
  ])("has right figures after an apply that %s", async (_, change) => {
    await trustedSale();
    await apply(own(), change());
    await expectFigures(own(), saleUuid, naive);
    for (let count = 0; count <= UNTIL_TRUSTED_AGAIN; count++) await bid();
    expect(messages.at(-1)).toBe(BY_MEMORY);
    await expectFigures(own(), saleUuid, naive);
  });

  it("is gone by memory the more seldom the more often that was in vain, and as before once it isn't", async () => {
    await trustedSale();
    const waits: number[] = [];
    for (let round = 0; round < 3; round++) {
      // It is stored already, so that it can't be inserted.
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
    expect(messages.at(-1)).toBe(BY_MEMORY);
    await expectFigures(own(), saleUuid, naive);
  });

  it("keeps what it remembers where a change brings no commitments", async () => {
    await openedSale({ ...auctionDefinition, source: evmSource });
    const { epoch: leaseEpoch } = await acquireSaleLease(own(), { saleUuid, holder: "me", durationMillis: 60_000n });
    const at = (height: bigint) => ({ leaseEpoch, sourcePosition: { height, hash: "a1".repeat(32) } });
    for (let height = 1n; height <= 4n; height++) await bid(own(), at(height));
    for (let height = 5n; height < 9n; height += 2n) {
      messages = [];
      await apply(own(), at(height));
      await bid(own(), at(height + 1n));
      expect(messages).toEqual([LOCKED, expect.anything(), BY_MEMORY]);
    }
    await expectFigures(own(), saleUuid, naive);
  });

  it("refuses what the sale as it is refuses, and goes on", async () => {
    await trustedSale();
    const { revision } = await bid();
    await expect(bid(own(), { expectedRevision: revision - 1n })).rejects.toThrow(
      `the sale is at revision ${revision}`,
    );
    await expectFigures(own(), saleUuid, naive);
    expect(await bid()).toMatchObject({ revision: revision + 1n });
  });

  it("is read for each change where it has too many prices to remember", async () => {
    await openedSale();
    const upserts = Array.from({ length: MAX_NODES_OF_SALE }, (_, index) =>
      recordOf(1_000_000 + index, { priceTicks: BigInt(1_000 + index) }),
    );
    const options = { ...APPLY_OPTIONS, maxRows: MAX_NODES_OF_SALE };
    await applyCommitments(own(), { saleUuid, requestId: randomUUID(), upserts, removals: [] }, options);
    naive.apply(upserts, [], undefined);
    for (let count = 0; count < 5; count++) await bid();
    expect(messages).not.toContain(BY_MEMORY);
    expect(await sumsStored(own().database, saleUuid)).toEqual(await sumsFromRows(own().database, saleUuid));
  });

  it("has right figures after anything that two processes do to it by turns", { timeout: 120_000 }, async () => {
    await openedSale({ ...auctionDefinition, cancelledKeepsAmounts: true });
    const random = new Random(7);
    let byMemory = 0;
    for (let step = 0; step < 300; step++) {
      // Mostly one of them: the other comes now and then.
      const store = random.integer(1, 25) === 1 ? others() : own();
      messages = [];
      await apply(store, anyChange(random));
      if (messages.join() === BY_MEMORY) byMemory++;
      if (step % 10 === 9) await expectFigures(own(), saleUuid, naive);
    }
    await expectFigures(others(), saleUuid, naive);
    expect(byMemory).toBeGreaterThan(80);
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

  const TABLES = ["sale", "sale_state", "commitment", "tick_node", "apply_request", "outbox", "history"] as const;
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
