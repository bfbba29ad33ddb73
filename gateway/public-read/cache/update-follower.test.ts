import { create, toBinary } from "@bufbuild/protobuf";
import { beforeEach, describe, expect, it } from "vitest";
import { saleUpdatedSubject } from "../../../common/internal-api/commitment-subjects.ts";
import { LocalBus } from "../../../common/platform/bus/local-bus.ts";
import { SaleRevisionSchema } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { SaleUpdatedSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_updated_pb.ts";
import { OTHER_SALE, SALE, saleAt } from "../../testing/fake-commitments.ts";
import { gatewayParts, silentLogger } from "../../testing/gateway-parts.ts";
import type { PublicError } from "../../web/http/public-error.ts";
import { UpdateFollower } from "./update-follower.ts";

const eventAt = (revision: bigint, generation = 1n, saleUuid = SALE) =>
  create(SaleUpdatedSchema, { saleUuid, generation, revision });

describe("following the bus", () => {
  let parts: ReturnType<typeof gatewayParts>;
  let follower: UpdateFollower;
  let pauses: (() => void)[];
  let refreshes: number;

  beforeEach(async () => {
    parts = gatewayParts();
    pauses = [];
    refreshes = 0;
    follower = followerOf(2);
    await parts.cache.read(SALE);
    parts.fake.loads.length = 0;
  });

  function followerOf(maxSales: number): UpdateFollower {
    return new UpdateFollower({
      cache: parts.cache,
      documents: parts.documents,
      refresh: async () => {
        refreshes++;
      },
      maxSales,
      wait: () => new Promise<void>((resolve) => pauses.push(resolve)),
      logger: silentLogger,
    });
  }

  /** Lets 100 ms pass after each load, until all is done. */
  async function settle(following: Promise<unknown>): Promise<void> {
    let isDone = false;
    void following.then(() => {
      isDone = true;
    });
    while (!isDone) {
      await new Promise(setImmediate);
      for (const end of pauses.splice(0)) end();
    }
  }

  const held = (saleUuid = SALE) => parts.cache.fresh(saleUuid)?.revision;

  it("loads a sale that has a new revision", async () => {
    parts.fake.sales.set(SALE, saleAt(2n));
    await settle(follower.follow(eventAt(2n)));
    expect(held()).toBe(2n);
    expect(parts.fake.loads).toEqual([SALE]);
  });

  it.each([
    ["a revision that is held", eventAt(1n)],
    ["an older revision", eventAt(0n)],
    ["a sale that isn't held", eventAt(2n, 1n, OTHER_SALE)],
  ])("loads nothing for %s", async (_, event) => {
    await settle(follower.follow(event));
    expect(parts.fake.loads).toEqual([]);
  });

  describe("of a sale that has just opened", () => {
    const opened = create(SaleUpdatedSchema, { saleUuid: OTHER_SALE, generation: 1n, revision: 2n, readable: true });
    const statusOf = (read: Promise<unknown>) =>
      read.then(
        () => "found",
        (error: PublicError) => error.code,
      );

    it("forgets that it was unknown a moment before", async () => {
      const { cache, documents, fake } = parts;
      const readAll = () =>
        Promise.all([cache.read(OTHER_SALE), documents.history.read(OTHER_SALE)].map((read) => statusOf(read)));
      expect(await readAll()).toEqual(["not_found", "not_found"]);
      fake.sales.set(OTHER_SALE, saleAt(2n));
      expect(await readAll()).toEqual(["not_found", "not_found"]);
      await follower.follow(opened);
      expect(await readAll()).toEqual(["found", "found"]);
    });

    it("doesn't believe a load that began before", async () => {
      const { cache, fake } = parts;
      fake.hold();
      const early = statusOf(cache.read(OTHER_SALE));
      while (!fake.loads.includes(OTHER_SALE)) await new Promise(setImmediate);
      await follower.follow(opened);
      fake.sales.set(OTHER_SALE, saleAt(2n));
      fake.release();
      expect([await early, await statusOf(cache.read(OTHER_SALE))]).toEqual(["not_found", "found"]);
    });

    it("keeps that a draft is unknown", async () => {
      const { cache, fake } = parts;
      await statusOf(cache.read(OTHER_SALE));
      fake.loads.length = 0;
      await follower.follow(create(SaleUpdatedSchema, { saleUuid: OTHER_SALE, generation: 1n, revision: 1n }));
      expect([await statusOf(cache.read(OTHER_SALE)), fake.loads]).toEqual(["not_found", []]);
    });
  });

  it("loads nothing for a sale that nobody has read lately", async () => {
    parts.clock.now += parts.config.cache.idleMs + 1;
    await settle(follower.follow(eventAt(2n)));
    expect(parts.fake.loads).toEqual([]);
  });

  describe("of an event that has the changes", () => {
    /** Adds nothing to the list, and one to the total that `saleAt` shows. */
    const toldChanges = (revision: bigint, changes: object = {}) => {
      const before = { totalAmountBefore: String(revision - 1n), commitmentCountBefore: 0n };
      const whole = { readable: true, totalAmount: String(revision), changes: { ...before, ...changes } };
      return create(SaleUpdatedSchema, { saleUuid: SALE, generation: 1n, revision, ...whole });
    };

    const sameRevision = (revision: bigint) => create(SaleRevisionSchema, { saleUuid: SALE, generation: 1n, revision });

    beforeEach(async () => {
      parts = gatewayParts();
      parts.fake.sales.set(SALE, { ...saleAt(1n), sale: {} });
      follower = followerOf(2);
      await parts.cache.read(SALE);
      parts.fake.loads.length = 0;
    });

    it("makes the next revision of what is held, without asking anybody", async () => {
      for (const revision of [2n, 3n, 4n]) await follower.follow(toldChanges(revision));
      expect(held()).toBe(4n);
      const body = parts.cache.fresh(SALE)?.identity.bytes.toString() ?? "";
      expect(JSON.parse(body).TotalCommitmentAmount).toBe("4");
      expect(parts.fake.loads).toEqual([]);
    });

    it.each([
      ["isn't the next one", toldChanges(3n)],
      ["is of another generation", create(SaleUpdatedSchema, { ...toldChanges(2n), generation: 2n })],
      ["changes other figures than those held", toldChanges(2n, { totalAmountBefore: "7" })],
      ["is of a sale in another status", create(SaleUpdatedSchema, { ...toldChanges(2n), status: SaleStatus.SETTLED })],
      ["is of a sale that can't be read", create(SaleUpdatedSchema, { ...toldChanges(2n), readable: false })],
      ["breaks its contract", toldChanges(2n, { upserted: [{ createdAtSeconds: 2n ** 62n }] })],
    ])("loads where it %s", async (_, event) => {
      parts.fake.sales.set(SALE, { ...saleAt(5n), sale: {} });
      await settle(follower.follow(event));
      expect(parts.fake.loads).toEqual([SALE]);
      expect(held()).toBe(5n);
    });

    const total = () => JSON.parse(parts.cache.fresh(SALE)?.identity.bytes.toString() ?? "{}").TotalCommitmentAmount;

    /** Lets time pass in which the revision is confirmed. @returns after how many seconds the sale is to be loaded */
    function secondsUntilReload(revision: bigint, most: number): number | undefined {
      let due: number | undefined;
      for (let seconds = 1; seconds <= most; seconds++) {
        parts.clock.now += 1_000;
        if (parts.cache.compare(SALE, sameRevision(revision), parts.clock.now)) due ??= seconds;
        parts.cache.fresh(SALE);
      }
      return due;
    }

    it("goes on from what was loaded, however long ago that was", async () => {
      expect(secondsUntilReload(1n, 70)).toBeUndefined();
      await follower.follow(toldChanges(2n));
      expect([held(), parts.fake.loads]).toEqual([2n, []]);
    });

    it("believes nothing more after a minute in which nothing was loaded", async () => {
      await follower.follow(toldChanges(2n));
      secondsUntilReload(2n, 61);
      parts.fake.sales.set(SALE, { ...saleAt(3n), sale: {} });
      await settle(follower.follow(toldChanges(3n)));
      expect(parts.fake.loads).toEqual([SALE]);
      await follower.follow(toldChanges(4n));
      expect([held(), parts.fake.loads.length]).toEqual([4n, 1]);
    });

    it.each([
      [0, 31],
      [0.5, 41],
      [0.99, 50],
    ])("has the sale loaded at a time of its own between half a minute and 50 s later", async (random, seconds) => {
      parts.clock.random = random;
      await follower.follow(toldChanges(2n));
      expect(secondsUntilReload(2n, 60)).toBe(seconds);
    });

    it("is shown while that load is under way, and is what the load says after it", async () => {
      await follower.follow(toldChanges(2n));
      secondsUntilReload(2n, 55);
      // As if the events had been wrong.
      parts.fake.sales.set(SALE, { ...saleAt(3n), sale: {}, revision: 2n });
      await parts.cache.load(SALE);
      expect([held(), total()]).toEqual([2n, "3"]);
      expect(secondsUntilReload(2n, 70)).toBeUndefined();
    });

    it("stays where the load was overtaken, and is loaded again", async () => {
      await follower.follow(toldChanges(2n));
      secondsUntilReload(2n, 55);
      parts.fake.sales.set(SALE, { ...saleAt(2n), sale: {} });
      parts.fake.hold();
      const load = parts.cache.load(SALE);
      await expect.poll(() => parts.fake.loads).toHaveLength(1);
      await follower.follow(toldChanges(3n));
      parts.fake.release();
      await load;
      expect(held()).toBe(3n);
      // Asked for after 41, 47 and 53 s.
      expect(secondsUntilReload(3n, 10)).toBe(4);
    });

    it("is loaded from the service after it was dropped during a load", async () => {
      await follower.follow(toldChanges(2n));
      parts.fake.sales.set(SALE, { ...saleAt(7n), sale: {}, revision: 2n });
      parts.fake.hold();
      const load = parts.cache.load(SALE);
      await expect.poll(() => parts.fake.loads).toHaveLength(1);
      parts.store.delete(SALE);
      parts.fake.release();
      await load;
      expect(total()).toBe("7");
    });

    it("isn't current any more after a minute in which the sale can't be loaded, which is tried now and then", async () => {
      await follower.follow(toldChanges(2n));
      let tries = 0;
      for (let seconds = 1; seconds <= 60; seconds++) {
        parts.clock.now += 1_000;
        if (parts.cache.compare(SALE, sameRevision(2n), parts.clock.now)) tries++;
        expect(held()).toBe(2n);
      }
      expect(tries).toBe(4);
      secondsUntilReload(2n, 5);
      expect(held()).toBeUndefined();
    });

    it("isn't led back by a load that was begun before", async () => {
      parts.fake.hold();
      const early = parts.cache.load(SALE);
      await expect.poll(() => parts.fake.loads).toHaveLength(1);
      await follower.follow(toldChanges(2n));
      parts.fake.release();
      await early;
      expect(held()).toBe(2n);
    });

    it("applies what came while the sale was loaded", async () => {
      const following = follower.follow(toldChanges(3n));
      parts.fake.sales.set(SALE, { ...saleAt(3n), sale: {} });
      await follower.follow(toldChanges(4n));
      await settle(following);
      expect(held()).toBe(4n);
      expect(parts.fake.loads).toHaveLength(1);
    });
  });

  it("loads once for all events of 100 ms, and again for those that came meanwhile", async () => {
    const following = follower.follow(eventAt(2n));
    parts.fake.sales.set(SALE, saleAt(4n));
    await Promise.all([follower.follow(eventAt(3n)), follower.follow(eventAt(4n))]);
    await settle(following);
    expect(parts.fake.loads.length).toBeLessThanOrEqual(2);
    expect(held()).toBe(4n);
  });

  it("asks the service about another generation, and doesn't believe the event", async () => {
    await settle(follower.follow(eventAt(99n, 7n)));
    expect(parts.fake.loads).toEqual([SALE]);
    expect(held()).toBe(1n);
    parts.fake.sales.set(SALE, saleAt(1n, 7n));
    await settle(follower.follow(eventAt(1n, 7n)));
    expect(parts.cache.fresh(SALE)?.generation).toBe(7n);
  });

  it("loads once more where a load was under way already, but not for ever", async () => {
    parts.fake.hold();
    const early = parts.cache.load(SALE);
    await expect.poll(() => parts.fake.loads).toHaveLength(1);
    parts.fake.sales.set(SALE, saleAt(2n));
    const following = follower.follow(eventAt(2n));
    parts.fake.release();
    await early;
    await settle(following);
    expect(held()).toBe(2n);
    await settle(follower.follow(eventAt(1_000n)));
    expect(parts.fake.loads.length).toBe(4);
  });

  it("leaves a sale that can't be loaded to the refresher", async () => {
    parts.fake.fail();
    await settle(follower.follow(eventAt(2n)));
    expect(parts.fake.loads).toHaveLength(1);
    expect(held()).toBe(1n);
  });

  it("follows a bounded number of sales at once", async () => {
    parts.fake.sales.set(OTHER_SALE, saleAt(1n));
    await parts.cache.read(OTHER_SALE);
    const one = followerOf(1);
    const following = one.follow(eventAt(2n));
    await one.follow(eventAt(2n, 1n, OTHER_SALE));
    await settle(following);
    expect(parts.fake.loads.filter((saleUuid) => saleUuid === OTHER_SALE)).toHaveLength(1);
  });

  it("handles events of the bus, ignores those that it can't decode, and refreshes after a gap", async () => {
    const bus = new LocalBus();
    let gap = () => {};
    const { listen } = bus;
    bus.listen = (subject, listener) => {
      gap = () => listener.gap();
      return listen.call(bus, subject, listener);
    };
    const end = follower.listen(bus);
    const publish = (payload: Uint8Array) => bus.publish({ subject: saleUpdatedSubject(SALE), id: "", payload });
    await publish(new Uint8Array([255, 255]));
    parts.fake.sales.set(SALE, saleAt(2n));
    await publish(toBinary(SaleUpdatedSchema, eventAt(2n)));
    await expect.poll(() => held()).toBe(2n);
    gap();
    expect(refreshes).toBe(1);
    end();
    await publish(toBinary(SaleUpdatedSchema, eventAt(3n)));
    expect(parts.fake.loads).toEqual([SALE]);
  });
});
