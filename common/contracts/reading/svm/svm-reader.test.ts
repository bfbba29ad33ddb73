import { describe, expect, it } from "vitest";
import { slotTime } from "../../../../test/support/chains/svm-node.ts";
import {
  bid,
  expectUpToDate,
  onAnswer,
  readSale,
  SVM_MINT,
  SvmReaderFixture,
  svmEntity,
  svmEntityId,
  wallets,
} from "../../../../test/support/chains/svm-reader-fixture.ts";
import { expectedRows, type SvmSaleState, svmAddress } from "../../../../test/support/chains/svm-sale.ts";
import { SourceFault } from "../../../chains/base/source-fault.ts";
import { CLOCK_ACCOUNT } from "../../../chains/svm/clock-account.ts";

describe("the first read", () => {
  it("reads a sale without entities", async () => {
    await using fixture = await readSale(0);
    expect(fixture.store.hasSnapshot).toBe(true);
    expectUpToDate(fixture);
  });

  it("reads everything that the accounts say", async () => {
    await using fixture = await SvmReaderFixture.start();
    bid(fixture.node, 2, { price: 2n ** 64n - 1n, lockup: true, wallets: wallets(3) });
    bid(fixture.node, 1, { refunded: true, wallets: new Map([[svmAddress("w"), 2n ** 63n]]) });
    const snapshot = await fixture.read();
    expect(snapshot).toMatchObject({ kind: "sweep", stage: "commitment", count: 2n, headHeight: 102n });
    expect(snapshot?.warning()).toBeUndefined();
    expect(snapshot?.rowsRead()).toBe(2n);
    expect(fixture.store.visible[0]).toMatchObject({
      commitmentId: `${svmEntityId(1)}${"0".repeat(32)}`,
      entityId: svmEntityId(1),
      amounts: [{ wallet: svmAddress("w"), token: SVM_MINT, amount: 2n ** 63n }],
      extraData: new Uint8Array(),
      sourceIndex: 0n,
    });
    expectUpToDate(fixture);
  });

  it("reads more entities than one call takes, and an entity with more wallets than one call takes", async () => {
    await using fixture = await SvmReaderFixture.start();
    fixture.node.advance(({ entities }) => {
      for (let id = 1; id <= 120; id += 1) entities.set(svmEntityId(id), svmEntity({ wallets: wallets(id % 4) }));
      for (const count of [97, 98, 99, 100, 255])
        entities.set(svmEntityId(1_000 + count), svmEntity({ wallets: wallets(count) }));
    });
    await fixture.read();
    expectUpToDate(fixture);
  });

  it("reads in chunks if there are more rows than may be held", async () => {
    await using fixture = await readSale(1_203, { maxHeldRows: 10 });
    expectUpToDate(fixture);
    fixture.node.advance(({ entities }) => {
      entities.delete(svmEntityId(2));
      for (let id = 20; id < 60; id += 1) entities.set(svmEntityId(id), svmEntity({ price: 7n }));
    });
    expect(await fixture.read()).toMatchObject({ kind: "sweep" });
    expectUpToDate(fixture);
  });
});

describe("later reads", () => {
  it("read only what changed", async () => {
    await using fixture = await readSale(50);
    bid(fixture.node, 4, { wallets: wallets(2) });
    fixture.node.requests.length = 0;
    const snapshot = await fixture.read();
    expect(snapshot).toMatchObject({ kind: "partial", count: 50n });
    expect(snapshot?.rowsRead()).toBe(1n);
    expectUpToDate(fixture);
    expect(fixture.node.requests.toSorted()).toEqual([
      "getMultipleAccounts",
      "getMultipleAccounts",
      "getMultipleAccounts",
      "getProgramAccounts",
      "getProgramAccounts",
      "getProgramAccounts",
      "getSlot",
      "getSlot",
    ]);
  });

  it("return nothing at the same slot, and only a new position if nothing else changed: each list confirms that of the read before", async () => {
    await using fixture = await readSale(2);
    expect(await fixture.read()).toBeUndefined();
    fixture.node.advance();
    expect(await fixture.read()).toBeUndefined();
    fixture.node.advance();
    fixture.node.requests.length = 0;
    expect(await fixture.read()).toMatchObject({ kind: "partial", position: { height: 102n } });
    expect(fixture.node.requests.toSorted()).toEqual(["getMultipleAccounts", "getProgramAccounts", "getSlot"]);
    expectUpToDate(fixture);
  });

  it.each(
    ["pre_open", "commitment", "cancellation", "settlement", "done", "pre_open"].map(
      (name, stage) => [stage, name] as const,
    ),
  )("reports stage %i of the sale as %s", async (stage, name) => {
    await using fixture = await readSale(1);
    bid(fixture.node, 4);
    fixture.node.advance((state) => {
      state.stage = stage % 5;
    });
    expect((await fixture.read())?.stage).toBe(name);
  });

  it("go on at a stage of unknown number, and warn of it", async () => {
    await using fixture = await readSale(1);
    fixture.node.advance((state) => {
      state.stage = 5;
    });
    bid(fixture.node, 2);
    const snapshot = await fixture.read();
    expect(snapshot).not.toHaveProperty("stage");
    expect(snapshot?.warning()).toBe("the sale account has the unknown stage 5");
    expectUpToDate(fixture);
  });

  it("remove entities that are gone, and keep the indexes of the others", async () => {
    await using fixture = await readSale(3);
    fixture.node.advance(({ entities }) => entities.delete(svmEntityId(2)));
    await fixture.read();
    expect(fixture.shown).toEqual(expectedRows(fixture.node.state));
    expect(fixture.store.visible.map(({ sourceIndex }) => sourceIndex)).toEqual([1n, 2n]);
  });

  it("keep each entity's index, which is in the order of its first read", async () => {
    await using fixture = await readSale(3);
    bid(fixture.node, 3);
    bid(fixture.node, 1);
    await fixture.read();
    fixture.reader = fixture.newReader();
    bid(fixture.node, 5);
    expect(await fixture.read()).toMatchObject({ kind: "sweep" });
    expect(fixture.store.visible.map(({ entityId }) => Number(`0x${entityId}`))).toEqual([2, 4, 6, 1, 3, 5]);
    expectUpToDate(fixture);
  });

  it.each([undefined, 2])("repair the store after an invalidation (%s rows held)", async (maxHeldRows) => {
    await using fixture = await readSale(5, maxHeldRows === undefined ? {} : { maxHeldRows });
    const [first, second] = fixture.store.visible;
    if (first === undefined || second === undefined) throw new Error("there are rows");
    fixture.store.rows.set(first.commitmentId, { ...first, priceTicks: 99n });
    fixture.store.rows.delete(second.commitmentId);
    const foreign = "f".repeat(64);
    fixture.store.rows.set(foreign, { ...second, commitmentId: foreign, sourceIndex: 77n });
    fixture.reader.invalidate();
    expect(await fixture.read()).toMatchObject({ kind: "sweep" });
    expect(fixture.shown).toEqual(expectedRows(fixture.node.state));
  });
});

describe("a change between two calls", () => {
  it("a new wallet is found", async () => {
    await using fixture = await readSale(3);
    const { node } = fixture;
    bid(node, 2, { wallets: wallets(2) });
    // Between the list of the bindings and their read.
    onAnswer(node, "getMultipleAccounts", 2, () => bid(node, 2, { wallets: wallets(5) }));
    await fixture.read();
    expectUpToDate(fixture);
  });

  it("a bid of another entity is read as well", async () => {
    await using fixture = await readSale(3);
    const { node } = fixture;
    bid(node, 2, { price: 5n });
    onAnswer(node, "getMultipleAccounts", 2, () => bid(node, 4, { price: 6n }));
    await fixture.read();
    expectUpToDate(fixture);
  });

  it("an entity that vanishes during its read changes nothing", async () => {
    await using fixture = await readSale(3);
    const { node } = fixture;
    const before = fixture.shown;
    bid(node, 2, { price: 5n });
    onAnswer(node, "getMultipleAccounts", 2, () => node.advance(({ entities }) => entities.delete(svmEntityId(2))));
    await expect(fixture.read()).rejects.toThrow(`entity 0x${svmEntityId(2)} vanished`);
    expect(fixture.shown).toEqual(before);
  });

  it("a sale that always changes is published entity by entity", async () => {
    await using fixture = await readSale(3);
    const { node } = fixture;
    bid(node, 2, { price: 100n });
    let reads = 0;
    node.beforeAnswer = (method, [addresses]) => {
      // Each read of one of the three entities changes the next one.
      const isPoll = Array.isArray(addresses) && addresses.includes(CLOCK_ACCOUNT);
      if (method === "getMultipleAccounts" && !isPoll) {
        reads += 1;
        bid(node, 2 + 2 * (reads % 3), { price: BigInt(100 + reads) });
      }
      return undefined;
    };
    const snapshot = await fixture.read();
    expect(reads).toBe(4);
    expect(snapshot?.position.height).toBe(BigInt(node.state.slot - 2));
    expect(fixture.shown.map(({ priceTicks }) => priceTicks)).toEqual([103n, 101n, 102n]);
    expect(expectedRows(node.state).map(({ priceTicks }) => priceTicks)).toEqual([103n, 104n, 102n]);
    node.beforeAnswer = () => undefined;
    await fixture.read();
    expectUpToDate(fixture);
  });
});

describe("the slot at which the store is up to date", () => {
  it("is known with its time, after a read and at the same slot again", async () => {
    await using fixture = await readSale(2);
    bid(fixture.node, 2);
    const snapshot = await fixture.read();
    const position = { height: 102n, hash: "", timeSeconds: slotTime(102n) };
    expect(snapshot?.position).toEqual(position);
    expect(await fixture.read()).toBeUndefined();
    expect(fixture.reader.upToDateAt()).toEqual(position);
  });

  it("has no time where the node doesn't have the clock", async () => {
    await using fixture = await readSale(2);
    fixture.node.hasClock = false;
    bid(fixture.node, 2);
    expect((await fixture.read())?.position).toEqual({ height: 102n, hash: "" });
  });
});

describe("the sale's total", () => {
  it("that differs is a fault at two slots, and a warning from the third on", async () => {
    await using fixture = await readSale(2);
    const { node } = fixture;
    node.advance((state) => {
      state.miscount = 5n;
    });
    await expect(fixture.read()).rejects.toThrow("the entities hold 2000, the sale account says 2005");
    await expect(fixture.read(), "the same slot again").rejects.toThrow(SourceFault);
    node.advance();
    await expect(fixture.read()).rejects.toThrow(SourceFault);
    bid(node, 8);
    const snapshot = await fixture.read();
    expect(snapshot?.warning()).toContain("the entities hold 3000, the sale account says 3005");
    expectUpToDate(fixture);
    node.advance((state) => {
      state.miscount = 0n;
    });
    expect((await fixture.read())?.warning()).toBeUndefined();
  });

  it("that keeps changing is never published", async () => {
    await using fixture = await readSale(2);
    for (let miscount = 1n; miscount < 6n; miscount += 1n) {
      fixture.node.advance((state) => {
        state.miscount = miscount;
      });
      await expect(fixture.read()).rejects.toMatchObject({ name: "SourceFault", remedy: "wait" });
    }
  });
});

describe("a sale account that isn't the right one", () => {
  it.each<[string, (state: SvmSaleState) => void, string]>([
    [
      "another sale",
      (state) => {
        state.saleUuid = "00000000-0000-4000-8000-000000000000";
      },
      "belongs to sale 00000000-0000-4000-8000-000000000000",
    ],
    [
      "another token",
      (state) => {
        state.mint = svmAddress("other");
      },
      `takes payment token ${svmAddress("other")}`,
    ],
    [
      "a bid before 1970",
      ({ entities }) => entities.set(svmEntityId(2), svmEntity({ timestamp: -1n })),
      "has the bid time -1",
    ],
  ])("is refused: %s", async (_, change, text) => {
    await using fixture = await readSale(2);
    const before = fixture.shown;
    fixture.node.advance(change);
    await expect(fixture.read()).rejects.toMatchObject({ remedy: "mend", message: expect.stringContaining(text) });
    expect(fixture.shown).toEqual(before);
  });
});
