import { create } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { SaleRevisionSchema } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { OTHER_SALE, SALE, saleAt } from "../../testing/fake-commitments.ts";
import { gatewayParts } from "../../testing/gateway-parts.ts";

type Parts = ReturnType<typeof gatewayParts>;

async function readTotal({ cache }: Parts, sale = SALE): Promise<string> {
  const { representation } = await cache.read(sale);
  return JSON.parse(representation.identity.bytes.toString()).TotalCommitmentAmount;
}

describe("CommitmentCache", () => {
  it("answers from memory for CACHE_MAX_STALE, counted from when it asked, then asks again", async () => {
    const parts = gatewayParts();
    const { cache, clock, fake } = parts;
    fake.hold();
    const first = readTotal(parts);
    clock.now += 400;
    fake.release();
    expect(await first).toBe("1");
    fake.sales.set(SALE, saleAt(2n));
    clock.now += 600;
    expect(cache.fresh(SALE)?.revision).toBe(1n);
    clock.now += 1;
    expect(cache.fresh(SALE)).toBeUndefined();
    expect(await readTotal(parts)).toBe("2");
    expect(fake.loads).toHaveLength(2);
  });

  it("loads once for many readers", async () => {
    const parts = gatewayParts();
    const totals = await Promise.all(Array.from({ length: 50 }, () => readTotal(parts)));
    expect(new Set(totals)).toStrictEqual(new Set(["1"]));
    expect(parts.fake.loads).toStrictEqual([SALE]);
  });

  it("keeps the finished body of a revision that stays", async () => {
    const { cache, clock } = gatewayParts();
    const before = await cache.read(SALE);
    clock.now += 2000;
    expect((await cache.read(SALE)).representation).toBe(before.representation);
  });

  it("never goes back to an older revision, but believes another generation", async () => {
    const parts = gatewayParts();
    const { fake, clock, cache } = parts;
    fake.sales.set(SALE, saleAt(5n));
    await readTotal(parts);
    fake.sales.set(SALE, saleAt(4n));
    clock.now += 2000;
    expect(await cache.read(SALE)).toMatchObject({ representation: { revision: 5n }, ageSeconds: 2 });
    fake.sales.set(SALE, saleAt(1n, 2n));
    clock.now += 10_000;
    expect(await cache.read(SALE)).toMatchObject({ representation: { revision: 1n }, ageSeconds: undefined });
  });

  it("serves the last body with its age while the service is down, and 503 beyond CACHE_MAX_AGE", async () => {
    const parts = gatewayParts({ CACHE_MAX_AGE: "60s" });
    const { fake, clock, cache } = parts;
    await cache.read(SALE);
    fake.fail();
    clock.now += 1500;
    expect(await cache.read(SALE)).toMatchObject({ ageSeconds: 1 });
    clock.now += 58_500;
    expect(await cache.read(SALE)).toMatchObject({ ageSeconds: 60 });
    clock.now += 1;
    await expect(cache.read(SALE)).rejects.toMatchObject({ code: "unavailable", status: 503 });
    fake.recover();
    clock.now += 100;
    expect(await cache.read(SALE)).toMatchObject({ ageSeconds: undefined });
  });

  it("names no block of figures that it doesn't hold, which an answer about the revision may tell it of", async () => {
    const { cache, clock, fake } = gatewayParts();
    const sale = (revision: bigint) => ({
      ...saleAt(revision),
      feedState: { asOf: { position: { height: revision } } },
    });
    const shown = () => {
      const { state, representation } = cache.feed(SALE) ?? {};
      return [representation?.revision, state?.asOf?.position?.height];
    };
    fake.sales.set(SALE, sale(1n));
    await cache.read(SALE);
    const answer = (revision: bigint) =>
      create(SaleRevisionSchema, { saleUuid: SALE, generation: 1n, revision, feedState: sale(revision).feedState });
    clock.now += 400;
    expect(cache.compare(SALE, answer(2n), clock.now)).toBe(true);
    expect(shown()).toEqual([1n, 1n]);
    fake.sales.set(SALE, sale(2n));
    await cache.load(SALE);
    expect(shown()).toEqual([2n, 2n]);
  });

  it("loads an auction again that an older service sent without the amount below the floor", async () => {
    const { cache, clock, fake } = gatewayParts();
    const figures = { totalAmount: "9", clearingPrice: { price: { numerator: "1", denominator: "2" } } };
    const auction = (belowFloorAmount: string) => ({ ...saleAt(1n), data: { ...figures, belowFloorAmount } });
    const isLoadedAgain = () => {
      clock.now += 50_001;
      return cache.compare(
        SALE,
        create(SaleRevisionSchema, { saleUuid: SALE, generation: 1n, revision: 1n }),
        clock.now,
      );
    };
    fake.sales.set(SALE, auction(""));
    await cache.read(SALE);
    fake.sales.set(SALE, auction("7"));
    expect(isLoadedAgain()).toBe(true);
    await cache.load(SALE);
    expect(cache.fresh(SALE)?.identity.bytes.toString()).toContain('"BelowFloorAmount":"7"');
    expect(isLoadedAgain()).toBe(false);
  });

  it("doesn't make a reader wait again right after a failure", async () => {
    const { fake, clock, cache } = gatewayParts();
    await cache.read(SALE);
    fake.fail();
    clock.now += 1500;
    await cache.read(SALE);
    fake.hold();
    clock.now += 500;
    expect(await cache.read(SALE)).toMatchObject({ ageSeconds: 2 });
    expect(fake.loads).toHaveLength(2);
  });

  it("makes no reader wait while the service hangs, once it has failed, but tries again each CACHE_MAX_STALE", async () => {
    const parts = gatewayParts({ COMMITMENTS_TIMEOUT: "2s", CACHE_MAX_STALE: "1s" });
    const { fake, clock, cache } = parts;
    await cache.read(SALE);
    fake.fail();
    clock.now += 1500;
    await cache.read(SALE);
    fake.hold();
    clock.now += 999;
    await cache.read(SALE);
    expect(fake.loads).toHaveLength(2);
    clock.now += 1;
    for (let i = 0; i < 3; i++) {
      expect(await cache.read(SALE)).toMatchObject({ ageSeconds: expect.any(Number) });
      clock.now += 600;
    }
    await expect.poll(() => fake.loads).toHaveLength(3);
    fake.recover();
    fake.release();
    // Joins the try that hung.
    await cache.load(SALE);
    fake.sales.set(SALE, saleAt(2n));
    expect(await readTotal(parts)).toBe("2");
  });

  it("counts a read that waits as a read", async () => {
    const { clock, cache, fake } = gatewayParts({ CACHE_IDLE: "30s", CACHE_MAX_SALES: "2" });
    const third = "33333333-3333-4333-8333-333333333333";
    for (const sale of [OTHER_SALE, third]) fake.sales.set(sale, saleAt(1n));
    await cache.read(SALE);
    await cache.read(OTHER_SALE);
    clock.now += 40_000;
    await cache.read(SALE);
    expect(cache.recentlyRead()).toStrictEqual([SALE]);
    // So that the other one makes room for a third.
    await cache.read(third);
    expect(cache.fresh(SALE)).toBeDefined();
  });

  it("asks once more for a reader who joined a load that turns out too old for it", async () => {
    const parts = gatewayParts();
    const { fake, clock } = parts;
    fake.hold();
    const first = parts.cache.read(SALE);
    await expect.poll(() => fake.loads).toHaveLength(1);
    fake.sales.set(SALE, saleAt(2n));
    clock.now += 1001;
    const others = Promise.all([readTotal(parts), readTotal(parts)]);
    fake.release();
    expect(await first).toMatchObject({ representation: { revision: 1n }, ageSeconds: 1 });
    expect(await others).toStrictEqual(["2", "2"]);
    expect(fake.loads).toHaveLength(2);
  });

  it("loads for a reader who knows a later state, and again where the load under way began too early", async () => {
    const parts = gatewayParts();
    const { cache, fake } = parts;
    await readTotal(parts);
    expect((await cache.readSince(SALE, { generation: 1n, revision: 1n })).revision).toBe(1n);
    expect(fake.loads).toHaveLength(1);
    fake.hold();
    const underWay = cache.load(SALE);
    while (fake.loads.length < 2) await new Promise(setImmediate);
    fake.sales.set(SALE, saleAt(2n));
    const reader = cache.readSince(SALE, { generation: 1n, revision: 2n });
    await new Promise(setImmediate);
    fake.release();
    expect([(await underWay).representation.revision, (await reader).revision]).toEqual([1n, 2n]);
    expect(fake.loads).toHaveLength(3);
    // No reader knows that state, so the service's answer counts.
    expect((await cache.readSince(SALE, { generation: 1n, revision: 99n })).revision).toBe(2n);
    expect(fake.loads).toHaveLength(4);
    const ahead = Array.from({ length: 50 }, () => cache.readSince(SALE, { generation: 1n, revision: 99n }));
    expect(new Set((await Promise.all(ahead)).map(({ revision }) => revision))).toEqual(new Set([2n]));
    expect(fake.loads).toHaveLength(5);
  });

  it("leaves it at a joined load that is within the bound", async () => {
    const parts = gatewayParts();
    const { fake, clock } = parts;
    fake.hold();
    const first = readTotal(parts);
    clock.now += 1000;
    const second = readTotal(parts);
    fake.release();
    expect(await Promise.all([first, second])).toStrictEqual(["1", "1"]);
    expect(fake.loads).toHaveLength(1);
  });

  it("holds for a moment that a sale is unknown, then finds it when it opens", async () => {
    const { fake, clock, cache } = gatewayParts({ NEGATIVE_CACHE_TTL: "1s" });
    await expect(cache.read(OTHER_SALE)).rejects.toMatchObject({ code: "not_found", status: 404 });
    fake.sales.set(OTHER_SALE, saleAt(1n));
    clock.now += 999;
    await expect(cache.read(OTHER_SALE)).rejects.toMatchObject({ code: "not_found" });
    expect(fake.loads).toHaveLength(1);
    clock.now += 1;
    await expect(cache.read(OTHER_SALE)).resolves.toMatchObject({ ageSeconds: undefined });
  });

  it("forgets a sale that is gone", async () => {
    const { fake, clock, cache, store } = gatewayParts();
    await cache.read(SALE);
    fake.sales.delete(SALE);
    clock.now += 2000;
    await expect(cache.read(SALE)).rejects.toMatchObject({ code: "not_found" });
    expect(store.size).toBe(0);
  });

  it.each([
    [Code.Unavailable, "unavailable", 503],
    [Code.ResourceExhausted, "unavailable", 503],
    [Code.DeadlineExceeded, "deadline_exceeded", 504],
    [Code.Internal, "internal", 500],
    [Code.PermissionDenied, "internal", 500],
    [Code.Unauthenticated, "internal", 500],
  ])("with nothing held, answers code %i as %s, and asks again after 100 ms", async (upstreamCode, code, status) => {
    const { fake, clock, cache } = gatewayParts();
    fake.fail(upstreamCode);
    await expect(cache.read(SALE)).rejects.toMatchObject({ code, status });
    clock.now += 99;
    await expect(cache.read(SALE)).rejects.toMatchObject({ code });
    expect(fake.loads).toHaveLength(1);
    fake.recover();
    clock.now += 1;
    await expect(cache.read(SALE)).resolves.toMatchObject({ ageSeconds: undefined });
  });

  it("shows no detail of an internal error", async () => {
    const { fake, cache } = gatewayParts();
    fake.fail(Code.PermissionDenied);
    const error = await cache.read(SALE).catch((reason: unknown) => reason);
    expect(JSON.stringify(error)).not.toContain("the fake fails on command");
    expect(JSON.stringify(error)).not.toContain("permission");
  });

  it("bounds how many sales are loaded at once for readers, and still serves held ones", async () => {
    const parts = gatewayParts({ CACHE_MAX_LOADS: "1" });
    const { fake, cache } = parts;
    await cache.read(SALE);
    fake.hold();
    const waiting = cache.read(OTHER_SALE).catch((error: unknown) => error);
    const third = "33333333-3333-4333-8333-333333333333";
    await expect(cache.read(third)).rejects.toMatchObject({
      code: "unavailable",
      message: "Too many sales are being read at the moment.",
    });
    expect(await readTotal(parts)).toBe("1");
    fake.release();
    expect(await waiting).toMatchObject({ code: "not_found" });
  });
});
