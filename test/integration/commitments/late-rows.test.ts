import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { SaleDefinition } from "../../../common/sale/definition/sale.ts";
import type { CommitmentRecord } from "../../../common/sale/record/commitment.ts";
import { applyCommitments } from "../../../services/commitments/applying/apply-commitments-rpc.ts";
import type { CommitmentsStore } from "../../../services/commitments/changing/commitments-store.ts";
import type { ApplyRequest } from "../../../services/commitments/changing/domain/prepare-apply.ts";
import { placeLateRows } from "../../../services/commitments/changing/place-late-rows.ts";
import { type HistoryPointRead, readHistory } from "../../../services/commitments/reading/history-store.ts";
import { createSale } from "../../../services/commitments/sales/create-sale-rpc.ts";
import { auctionDefinition, recordOf, TOKEN, WALLET } from "../../../services/commitments/testing/samples.ts";
import { APPLY_OPTIONS, openCommitmentsStore } from "../../support/databases/commitments-database.ts";
import { describeEachDatabase } from "../../support/databases/databases.ts";
import { openUnchecked } from "../../support/sales/unchecked-sales.ts";

const HOUR = 3_600n;
const DAY = 24n * HOUR;
/** More than two pages of the read. */
const MANY = 1_100;
const OPTIONS = { ...APPLY_OPTIONS, maxRows: MANY };
/** 100,000 dollars: so much buys everything at the floor. */
const WHOLE = 100_000_000_000n;

describeEachDatabase("commitments that come long after they were made", (variant) => {
  let store: CommitmentsStore;
  let remove: () => Promise<void>;
  /** The beginning of the present hour, in seconds. */
  let hour: bigint;
  let placed: string[] = [];
  beforeAll(async () => {
    const created = await variant.create();
    remove = created.remove;
    store = await openCommitmentsStore(created);
  });
  afterAll(async () => {
    await store.database.close();
    await remove();
  });
  beforeEach(async () => {
    placed = [];
    const now = (await store.database.nowMillis()) / 1000n;
    hour = now - (now % HOUR);
  });

  async function newSale(definition: SaleDefinition = auctionDefinition): Promise<string> {
    const uuid = randomUUID();
    await createSale(store, { uuid, tenancy: "test", definition, ownerAccountUuid: "" });
    await openUnchecked(store, uuid);
    return uuid;
  }

  const apply = (saleUuid: string, request: Partial<ApplyRequest>) =>
    applyCommitments(store, { saleUuid, requestId: randomUUID(), upserts: [], removals: [], ...request }, OPTIONS);

  /** A bid from some time before the present hour. */
  const bid = (number: number, secondsAgo: bigint, amount: bigint, priceTicks = 1_000n): CommitmentRecord =>
    recordOf(number, {
      createdAtSeconds: hour - secondsAgo,
      priceTicks,
      amounts: [{ wallet: WALLET, token: TOKEN, amount }],
    });

  const place = (changes: CommitmentsStore["changes"] = store.changes) =>
    placeLateRows(
      { ...store, changes },
      {
        signal: new AbortController().signal,
        onPlaced: (saleUuid) => void placed.push(saleUuid),
        onFailure: (_, error) => {
          throw error;
        },
      },
    );

  /** Returns a sale's history before the present hour: the end of each period in hours before it, and the figures. */
  async function history(saleUuid: string) {
    const { points } = await readHistory(store.database, saleUuid, 1_000);
    return points
      .filter(({ fromSeconds }) => fromSeconds < hour)
      .map((point) => [(hour - point.fromSeconds - point.seconds) / HOUR, ...figuresOf(point)]);
  }

  /** Returns the figures of now. Those of the present hour may stand in several periods, as minutes may pass while a test runs. */
  async function present(saleUuid: string) {
    const { points } = await readHistory(store.database, saleUuid, 1_000);
    return points.slice(-1).flatMap(figuresOf);
  }

  const figuresOf = ({ total, commitments, clearingTick }: HistoryPointRead) => [
    Number(total / 1_000_000n),
    Number(commitments),
    Number(clearingTick),
  ];

  it("count from their own time on, with the clearing price that they made, up to the exact total", async () => {
    const saleUuid = await newSale();
    const bids = [bid(1, 3n * DAY, 2n * WHOLE), bid(2, 2n * DAY, WHOLE, 150n), bid(3, DAY, WHOLE)];
    await apply(saleUuid, { upserts: bids });
    expect(await present(saleUuid)).toEqual([400_000, 3, 300]);
    await place();
    expect(placed).toEqual([saleUuid]);
    expect(await history(saleUuid)).toEqual([
      [71n, 200_000, 1, 200],
      [47n, 300_000, 2, 200],
      [23n, 400_000, 3, 300],
    ]);
    expect(await present(saleUuid)).toEqual([400_000, 3, 300]);
    await place();
    expect(placed).toEqual([saleUuid]);
  });

  it("count with their demand where the auction's rule does", async () => {
    const { pricing } = auctionDefinition;
    if (pricing.kind !== "auction") throw new Error("the sample is no auction");
    const outbidding = { ...pricing, incrementTicks: 1n, clearingRule: "lowest_not_outbid" } as const;
    const saleUuid = await newSale({ ...auctionDefinition, pricing: outbidding });
    const demand = (ticks: bigint) => ({ demand: ticks * pricing.offeredAmount });
    const first = { ...bid(1, 3n * DAY, WHOLE), ...demand(200n) };
    const last = { ...bid(3, DAY, WHOLE), ...demand(300n) };
    await apply(saleUuid, { upserts: [first, bid(2, 2n * DAY, WHOLE), last] });
    await place();
    expect(await history(saleUuid)).toEqual([
      [71n, 100_000, 1, 200],
      [47n, 200_000, 2, 300],
      [23n, 300_000, 3, 600],
    ]);
    expect(await present(saleUuid)).toEqual([300_000, 3, 600]);
  });

  it("leave what was recorded before the earliest of them, and count with their amounts of now", async () => {
    const saleUuid = await newSale();
    await apply(saleUuid, { upserts: [bid(1, 9n * DAY, WHOLE), bid(2, DAY, WHOLE)] });
    await place();
    // A raised bid is no late one.
    await apply(saleUuid, { upserts: [bid(2, DAY, 2n * WHOLE)] });
    await place();
    expect(placed).toHaveLength(1);
    await apply(saleUuid, { upserts: [bid(3, 5n * DAY, WHOLE)] });
    await place();
    expect((await history(saleUuid)).map(([end, total, count]) => [end, total, count])).toEqual([
      [9n * 24n - 1n, 100_000, 1],
      [5n * 24n - 1n, 200_000, 2],
      [23n, 400_000, 3],
    ]);
  });

  it("don't wait for others of their time: recent ones, and those older than any history, stay where they came", async () => {
    const saleUuid = await newSale();
    const recent = recordOf(1, { createdAtSeconds: (await store.database.nowMillis()) / 1000n - 60n });
    await apply(saleUuid, { upserts: [recent, recordOf(2, { createdAtSeconds: 1n })] });
    await place();
    expect(placed).toEqual([]);
    expect((await history(saleUuid)).filter(([, total]) => total)).toEqual([]);
    expect((await present(saleUuid))[0]).toBe(10);
  });

  it("are placed once their change set is complete", async () => {
    const saleUuid = await newSale();
    const set = randomUUID();
    await apply(saleUuid, { upserts: [bid(1, 2n * DAY, WHOLE)], changeSet: { uuid: set, part: 0, last: false } });
    await place();
    expect(placed).toEqual([]);
    await apply(saleUuid, { changeSet: { uuid: set, part: 1, last: true } });
    await place();
    expect(placed).toEqual([saleUuid]);
    expect((await history(saleUuid))[0]).toEqual([47n, 100_000, 1, 100]);
  });

  it("that come while others are placed are placed the next time", async () => {
    const saleUuid = await newSale();
    await apply(saleUuid, { upserts: [bid(1, 2n * DAY, WHOLE)] });
    const run: CommitmentsStore["changes"]["run"] = async (...change) => {
      await apply(saleUuid, { upserts: [bid(2, DAY, WHOLE)] });
      return store.changes.run(...change);
    };
    await place({ run } as CommitmentsStore["changes"]);
    expect(await present(saleUuid)).toEqual([200_000, 2, 200]);
    await place();
    expect(placed).toEqual([saleUuid, saleUuid]);
    expect(await history(saleUuid)).toEqual([
      [47n, 100_000, 1, 100],
      [23n, 200_000, 2, 200],
    ]);
  });

  it("leave the others of their hour where they are, also where they count for nothing themselves", async () => {
    const saleUuid = await newSale();
    await apply(saleUuid, { upserts: [bid(1, 2n * DAY - 300n, WHOLE)] });
    await place();
    await apply(saleUuid, { upserts: [{ ...bid(2, 2n * DAY - 900n, WHOLE), refunded: true }] });
    await place();
    expect(placed).toHaveLength(2);
    expect(await history(saleUuid)).toEqual([[47n, 100_000, 1, 100]]);
  });

  it("count as settled ones do, many of one second and those that were paid back included", async () => {
    const saleUuid = await newSale();
    const upserts = Array.from({ length: MANY }, (_, index) =>
      recordOf(index + 1, { ...bid(index + 1, index < 700 ? DAY : 2n * DAY, 1_000_000n), refunded: index % 3 === 0 }),
    );
    await apply(saleUuid, { upserts, stage: "done" });
    await place();
    expect(await history(saleUuid)).toEqual([
      [47n, 400, 400, 100],
      [23n, MANY, MANY, 100],
    ]);
    expect(await present(saleUuid)).toEqual([MANY, MANY, 100]);
  });

  it("are as many as a sale has, and several in an hour", async () => {
    const saleUuid = await newSale();
    const upserts = Array.from({ length: MANY }, (_, index) => bid(index + 1, BigInt(index + 1) * 600n, 1_000_000n));
    await apply(saleUuid, { upserts });
    await place();
    const points = (await history(saleUuid)).filter(([end]) => Number(end) > 12);
    expect(points[0]).toEqual([183n, 2, 2, 100]);
    points.slice(1).forEach(([, , count], index) => {
      expect(count).toBe(Number(points[index]?.[2]) + 6);
    });
    expect(await present(saleUuid)).toEqual([MANY, MANY, 100]);
  });
});
