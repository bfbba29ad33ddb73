import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SVM_FAULTS, type SvmFault, type SvmNode } from "../../../test/support/svm-node.ts";
import { SVM_MINT, SvmReaderFixture, svmEntity, svmEntityId } from "../../../test/support/svm-reader-fixture.ts";
import { expectedRows, type SvmEntity, type SvmSaleState, svmAddress } from "../../../test/support/svm-sale.ts";
import { SourceFault } from "../source-reader.ts";

/** The store shows what the sale has now. The position may be a slot at which it had the same. */
function expectInStep({ store, node, shown }: SvmReaderFixture): void {
  const state = node.states.find(({ slot }) => BigInt(slot) === store.position?.height);
  expect(shown).toEqual(expectedRows(node.state));
  expect(state && expectedRows(state)).toEqual(shown);
}

function bid(node: SvmNode, entity: number, change: Partial<SvmEntity> = {}): void {
  node.advance(({ entities }) => entities.set(svmEntityId(entity), svmEntity(change)));
}

function wallets(count: number): Map<string, bigint> {
  return new Map(Array.from({ length: count }, (_, index) => [svmAddress(`wallet ${index}`), BigInt(index + 1)]));
}

async function readSale(entities: number, options: { maxHeldRows?: number } = {}): Promise<SvmReaderFixture> {
  const fixture = await SvmReaderFixture.start(options);
  fixture.node.advance((state) => {
    for (let id = 1; id <= entities; id += 1) state.entities.set(svmEntityId(2 * id), svmEntity({ price: BigInt(id) }));
  });
  await fixture.read();
  return fixture;
}

/** Makes the n-th of the coming answers to a method faulty, or runs something before it. */
function onAnswer(node: SvmNode, method: string, turn: number, what: SvmFault | (() => void)): void {
  let left = turn;
  node.beforeAnswer = (asked) => {
    if (asked !== method) return undefined;
    left -= 1;
    if (left !== 0) return undefined;
    if (typeof what === "string") return what;
    what();
    return undefined;
  };
}

describe("the first reading", () => {
  it("reads a sale without entities", async () => {
    await using fixture = await readSale(0);
    expect(fixture.store.hasSnapshot).toBe(true);
    expectInStep(fixture);
  });

  it("reads everything that the accounts say", async () => {
    await using fixture = await SvmReaderFixture.start();
    bid(fixture.node, 2, { price: 2n ** 64n - 1n, lockup: true, wallets: wallets(3) });
    bid(fixture.node, 1, { refunded: true, wallets: new Map([[svmAddress("w"), 2n ** 63n]]) });
    const reading = await fixture.read();
    expect(reading).toMatchObject({ kind: "sweep", stage: "commitment", count: 2n, headHeight: 102n });
    expect(reading?.warning()).toBeUndefined();
    expect(reading?.rowsRead()).toBe(2n);
    expect(fixture.store.visible[0]).toMatchObject({
      commitmentId: `${svmEntityId(1)}${"0".repeat(32)}`,
      entityId: svmEntityId(1),
      amounts: [{ wallet: svmAddress("w"), token: SVM_MINT, amount: 2n ** 63n }],
      extraData: new Uint8Array(),
      sourceIndex: 0n,
    });
    expectInStep(fixture);
  });

  it("reads more entities than one call takes, and an entity with more wallets than one call takes", async () => {
    await using fixture = await SvmReaderFixture.start();
    fixture.node.advance(({ entities }) => {
      for (let id = 1; id <= 120; id += 1) entities.set(svmEntityId(id), svmEntity({ wallets: wallets(id % 4) }));
      for (const count of [97, 98, 99, 100, 255])
        entities.set(svmEntityId(1_000 + count), svmEntity({ wallets: wallets(count) }));
    });
    await fixture.read();
    expectInStep(fixture);
  });

  it("goes by chunks where there is more than may be held", async () => {
    await using fixture = await readSale(1_203, { maxHeldRows: 10 });
    expectInStep(fixture);
    fixture.node.advance(({ entities }) => {
      entities.delete(svmEntityId(2));
      for (let id = 20; id < 60; id += 1) entities.set(svmEntityId(id), svmEntity({ price: 7n }));
    });
    expect(await fixture.read()).toMatchObject({ kind: "sweep" });
    expectInStep(fixture);
  });
});

describe("later readings", () => {
  it("read only what changed", async () => {
    await using fixture = await readSale(50);
    bid(fixture.node, 4, { wallets: wallets(2) });
    fixture.node.requests.length = 0;
    const reading = await fixture.read();
    expect(reading).toMatchObject({ kind: "partial", count: 50n });
    expect(reading?.rowsRead()).toBe(1n);
    expectInStep(fixture);
    expect(fixture.node.requests.toSorted()).toEqual([
      "getMultipleAccounts",
      "getMultipleAccounts",
      "getProgramAccounts",
      "getProgramAccounts",
      "getSlot",
    ]);
  });

  it("say nothing at the same slot, and the new position where the slot moved on alone", async () => {
    await using fixture = await readSale(2);
    expect(await fixture.read()).toBeUndefined();
    fixture.node.advance();
    expect(await fixture.read()).toMatchObject({ kind: "partial", position: { height: 102n } });
    expectInStep(fixture);
  });

  it.each(
    ["pre_open", "commitment", "cancellation", "settlement", "done", "pre_open"].map(
      (name, stage) => [stage, name] as const,
    ),
  )("tell stage %i of the sale: %s", async (stage, name) => {
    await using fixture = await readSale(1);
    fixture.node.advance((state) => {
      state.stage = stage % 5;
    });
    expect((await fixture.read())?.stage).toBe(name);
  });

  it("remove entities that are gone, and keep the indexes of the others", async () => {
    await using fixture = await readSale(3);
    fixture.node.advance(({ entities }) => entities.delete(svmEntityId(2)));
    await fixture.read();
    expect(fixture.shown).toEqual(expectedRows(fixture.node.state));
    expect(fixture.store.visible.map(({ sourceIndex }) => sourceIndex)).toEqual([1n, 2n]);
  });

  it("give an entity the index in order of its first sight, for ever", async () => {
    await using fixture = await readSale(3);
    bid(fixture.node, 3);
    bid(fixture.node, 1);
    await fixture.read();
    fixture.reader = fixture.newReader();
    bid(fixture.node, 5);
    expect(await fixture.read()).toMatchObject({ kind: "sweep" });
    expect(fixture.store.visible.map(({ entityId }) => Number(`0x${entityId}`))).toEqual([2, 4, 6, 1, 3, 5]);
    expectInStep(fixture);
  });

  it.each([undefined, 2])("repair, after a doubt, what the store has otherwise (%s rows held)", async (maxHeldRows) => {
    await using fixture = await readSale(5, maxHeldRows === undefined ? {} : { maxHeldRows });
    const [first, second] = fixture.store.visible;
    if (first === undefined || second === undefined) throw new Error("there are rows");
    fixture.store.rows.set(first.commitmentId, { ...first, priceTicks: 99n });
    fixture.store.rows.delete(second.commitmentId);
    const foreign = "f".repeat(64);
    fixture.store.rows.set(foreign, { ...second, commitmentId: foreign, sourceIndex: 77n });
    fixture.reader.doubt("a test");
    expect(await fixture.read()).toMatchObject({ kind: "sweep" });
    expect(fixture.shown).toEqual(expectedRows(fixture.node.state));
  });
});

describe("what happens between two calls", () => {
  it("a new wallet is found", async () => {
    await using fixture = await readSale(3);
    const { node } = fixture;
    bid(node, 2, { wallets: wallets(2) });
    // Before the bindings, which were listed before, are read.
    onAnswer(node, "getMultipleAccounts", 2, () => bid(node, 2, { wallets: wallets(5) }));
    await fixture.read();
    expectInStep(fixture);
  });

  it("a bid of another entity is read as well", async () => {
    await using fixture = await readSale(3);
    const { node } = fixture;
    bid(node, 2, { price: 5n });
    onAnswer(node, "getMultipleAccounts", 2, () => bid(node, 4, { price: 6n }));
    await fixture.read();
    expectInStep(fixture);
  });

  it("an entity that goes while it is read leaves everything as it was", async () => {
    await using fixture = await readSale(3);
    const { node } = fixture;
    const before = fixture.shown;
    bid(node, 2, { price: 5n });
    onAnswer(node, "getMultipleAccounts", 2, () => node.advance(({ entities }) => entities.delete(svmEntityId(2))));
    await expect(fixture.read()).rejects.toThrow(`entity 0x${svmEntityId(2)} vanished`);
    expect(fixture.shown).toEqual(before);
  });

  it("a sale that never stands still is published entity by entity", async () => {
    await using fixture = await readSale(3);
    const { node } = fixture;
    bid(node, 2, { price: 100n });
    node.beforeAnswer = (method) => {
      if (method === "getMultipleAccounts")
        node.advance(({ entities }) => entities.set(svmEntityId(2), svmEntity({ price: BigInt(node.state.slot) })));
      return undefined;
    };
    const reading = await fixture.read();
    expect(reading?.kind).toBe("partial");
    const [changed] = fixture.shown;
    const prices = node.states.map(({ entities }) => entities.get(svmEntityId(2))?.price);
    expect(prices.slice(2)).toContain(changed?.priceTicks);
    node.beforeAnswer = () => undefined;
    await fixture.read();
    expectInStep(fixture);
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
    const reading = await fixture.read();
    expect(reading?.warning()).toContain("the entities hold 3000, the sale account says 3005");
    expectInStep(fixture);
    node.advance((state) => {
      state.miscount = 0n;
    });
    expect((await fixture.read())?.warning()).toBeUndefined();
  });

  it("that goes on changing is never published", async () => {
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
      "is that of sale 00000000-0000-4000-8000-000000000000",
    ],
    [
      "another token",
      (state) => {
        state.mint = svmAddress("other");
      },
      `takes payment token ${svmAddress("other")}`,
    ],
    [
      "an unknown stage",
      (state) => {
        state.stage = 5;
      },
      "unknown stage 5",
    ],
    [
      "a bid before 1970",
      ({ entities }) => entities.set(svmEntityId(2), svmEntity({ timestamp: -1n })),
      "has the bid time -1",
    ],
  ])("is refused: %s", async (_, change, words) => {
    await using fixture = await readSale(2);
    const before = fixture.shown;
    fixture.node.advance(change);
    await expect(fixture.read()).rejects.toMatchObject({ remedy: "mend", message: expect.stringContaining(words) });
    expect(fixture.shown).toEqual(before);
  });
});

describe("a node's faults", () => {
  const methods = ["getProgramAccounts", "getMultipleAccounts"];
  const turns = [1, 2];
  const cases = SVM_FAULTS.flatMap((fault) =>
    methods.flatMap((method) => turns.map((turn) => ({ fault, method, turn }))),
  );

  it.each(cases)(
    "$fault in answer $turn of $method: nothing wrong is published, and it heals",
    async ({ fault, method, turn }) => {
      await using fixture = await readSale(6);
      const { node } = fixture;
      const before = fixture.shown;
      bid(node, 2, {
        wallets: new Map([
          [svmAddress("a"), 3n],
          [svmAddress("b"), 4n],
        ]),
      });
      node.advance(({ entities }) => {
        entities.set(svmEntityId(4), svmEntity({ price: 1n, wallets: wallets(2) }));
        entities.set(svmEntityId(12), svmEntity({ price: 2n, wallets: wallets(3) }));
      });
      onAnswer(node, method, turn, fault);
      const failed = await fixture.read().then(
        () => false,
        (error: unknown) => {
          expect(error).toBeInstanceOf(SourceFault);
          return true;
        },
      );
      expect(fixture.shown).toEqual(failed ? before : expectedRows(node.state));
      node.beforeAnswer = () => undefined;
      await fixture.read();
      expectInStep(fixture);
    },
  );

  it("a list that lacks an entity doesn't remove it", async () => {
    await using fixture = await SvmReaderFixture.start();
    bid(fixture.node, 1);
    // An entity without an amount is one that the total doesn't miss.
    bid(fixture.node, 2, { refunded: true, wallets: new Map() });
    await fixture.read();
    onAnswer(fixture.node, "getProgramAccounts", 1, "missing_account");
    fixture.node.advance();
    await expect(fixture.read()).rejects.toThrow();
    expectInStep(fixture);
  });
});

describe("any sequence of changes and faults", () => {
  const entityNumber = fc.integer({ min: 1, max: 12 });
  const amount = fc.bigInt({ min: 1n, max: 2n ** 40n });
  const bidChange = fc.record({
    kind: fc.constant("bid" as const),
    entity: entityNumber,
    price: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    lockup: fc.boolean(),
    wallet: fc.integer({ min: 0, max: 3 }),
    amount,
  });
  const cancelChange = fc.record({ kind: fc.constant("cancel" as const), entity: entityNumber });
  const closeChange = fc.record({ kind: fc.constant("close" as const), entity: entityNumber });
  const stageChange = fc.record({ kind: fc.constant("stage" as const), stage: fc.integer({ min: 0, max: 4 }) });
  const change = fc.oneof({ weight: 6, arbitrary: bidChange }, cancelChange, closeChange, stageChange);
  type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;
  const round = fc.record({
    before: fc.array(change, { maxLength: 4 }),
    /** Happens between two calls, before the answer of that number. */
    between: fc.option(fc.record({ answer: fc.integer({ min: 1, max: 8 }), change })),
    faults: fc.array(fc.option(fc.constantFrom<SvmFault>(...SVM_FAULTS), { freq: 2 }), { maxLength: 12 }),
    restart: fc.boolean(),
  });

  function apply(node: SvmNode, wanted: Change): void {
    node.advance((state) => {
      if (wanted.kind === "stage") {
        state.stage = wanted.stage;
        return;
      }
      const id = svmEntityId(wanted.entity);
      const old = state.entities.get(id);
      if (wanted.kind === "close") state.entities.delete(id);
      else if (wanted.kind === "bid") {
        const wallet = svmAddress(`wallet ${wanted.wallet}`);
        const amounts = new Map(old?.wallets).set(wallet, (old?.wallets.get(wallet) ?? 0n) + wanted.amount);
        const { price, lockup } = wanted;
        state.entities.set(id, { price, lockup, refunded: false, timestamp: BigInt(state.slot), wallets: amounts });
      } else if (old !== undefined) {
        const zeros = new Map([...old.wallets.keys()].map((wallet) => [wallet, 0n]));
        state.entities.set(id, { ...old, refunded: true, wallets: zeros });
      }
    });
  }

  /** A list that lies is followed by one that doesn't: against a node that always tells the same lie nothing helps. */
  function misbehave(
    node: SvmNode,
    { faults, between }: { faults: readonly (SvmFault | null)[]; between: { answer: number; change: Change } | null },
  ): void {
    let answers = 0;
    let lied = false;
    node.beforeAnswer = (method) => {
      answers += 1;
      if (between?.answer === answers) apply(node, between.change);
      const fault = faults[answers - 1] ?? undefined;
      const isLie = fault === "missing_account" || fault === "torn_list";
      if (method === "getProgramAccounts") {
        const wasLie = lied;
        lied = isLie && !wasLie;
        if (isLie && wasLie) return undefined;
      }
      return fault;
    };
  }

  it("shows what the node had at one slot, or nothing new; and heals", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 6 }), fc.boolean(), async (rounds, chunked) => {
        await using fixture = await SvmReaderFixture.start(chunked ? { maxHeldRows: 1 } : {});
        const { node, store } = fixture;
        for (const { before, restart, ...misbehaviour } of rounds) {
          for (const wanted of before) apply(node, wanted);
          if (restart) fixture.reader = fixture.newReader();
          // What is read in chunks is of one slot only where nothing moves meanwhile.
          misbehave(node, chunked ? { ...misbehaviour, between: null } : misbehaviour);
          const shown = fixture.shown;
          const reading = await fixture.read().catch((error: unknown) => {
            if (!(error instanceof SourceFault)) throw error;
            return "fault" as const;
          });
          fixture.millis += 500;
          if (reading === "fault") expect(fixture.shown).toEqual(shown);
          const state = node.states.find(({ slot }) => BigInt(slot) === store.position?.height);
          if (store.hasSnapshot) expect(state).toBeDefined();
          if (state !== undefined) expect(withoutZeros(fixture.shown)).toEqual(withoutZeros(expectedRows(state)));
        }
        node.beforeAnswer = () => undefined;
        fixture.millis += 2_000;
        await fixture.read();
        expect(withoutZeros(fixture.shown)).toEqual(withoutZeros(expectedRows(node.state)));
      }),
      { numRuns: 150 },
    );
  });
});

/** Raw zeros are not listed anywhere, and whether a list of wallets has them all can't be seen from the sums. */
function withoutZeros(rows: ReturnType<typeof expectedRows>): unknown {
  return rows.map((row) => ({ ...row, amounts: Object.entries(row.amounts).filter(([, amount]) => amount > 0n) }));
}
