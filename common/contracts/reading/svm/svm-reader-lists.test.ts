import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SvmNode } from "../../../../test/support/chains/svm-node.ts";
import {
  bid,
  expectUpToDate,
  onAnswer,
  readSale,
  type SvmReaderFixture,
  svmEntity,
  svmEntityId,
} from "../../../../test/support/chains/svm-reader-fixture.ts";
import {
  type ExpectedRow,
  expectedRows,
  type SvmEntity,
  svmAddress,
  svmEntityAddress,
} from "../../../../test/support/chains/svm-sale.ts";
import { SourceFault } from "../../../chains/base/source-fault.ts";

const READS = 6;
const NOTHING = { refunded: true, wallets: new Map([[svmAddress("wallet 1"), 0n]]) };

/** Makes the first URL's lists lack entities. Asked for by its address, each account is there. */
function hide({ node }: SvmReaderFixture, ...entities: readonly number[]): void {
  node.unlisted = new Set(entities.map((entity) => svmEntityAddress(node.saleAccount, svmEntityId(entity))));
}

/** Reads at ever new slots. @returns how many reads have failed */
async function readOften(fixture: SvmReaderFixture, times = READS): Promise<number> {
  let failed = 0;
  for (let read = 0; read < times; read += 1) {
    fixture.node.advance();
    await fixture.read().catch((error: unknown) => {
      if (!(error instanceof SourceFault)) throw error;
      failed += 1;
    });
  }
  return failed;
}

/**
 * Expects the figures of the slot that the store has, or of the newest one. A bid that has no amount before any list has it shows in
 * nothing that a node answers.
 *
 * @param before the rows before the read.
 */
function expectKnown({ store, node, shown }: SvmReaderFixture, before: SvmReaderFixture["shown"], isNewest: boolean) {
  const state = isNewest ? node.state : node.states.find(({ slot }) => BigInt(slot) === store.position?.height);
  const known = new Set([...before, ...shown].map(({ commitmentId }) => commitmentId));
  const hasAmount = ({ amounts }: ExpectedRow) => Object.keys(amounts).length > 0;
  expect(shown).toEqual(state && expectedRows(state).filter((row) => hasAmount(row) || known.has(row.commitmentId)));
}

/** Expects the figures of the slot that the store has. */
function expectRight({ store, node, shown }: SvmReaderFixture): void {
  const state = node.states.find(({ slot }) => BigInt(slot) === store.position?.height);
  expect(shown).toEqual(state && expectedRows(state));
}

/** Changes an entity in a way that its sale's totals don't show. */
function changeSilently(node: SvmNode, entity: number, change: Partial<SvmEntity>): void {
  node.advance(({ entities }) => {
    const id = svmEntityId(entity);
    entities.set(id, { ...svmEntity(), ...entities.get(id), ...change });
  });
}

describe("a list that shows rows as they were before the slot that it names", () => {
  it.each<[string, Partial<SvmEntity>]>([
    ["refund", { refunded: true }],
    ["price", { price: 99n }],
    ["time", { timestamp: 1_769_860_900n }],
  ])("doesn't make a slot's figures lack a %s, which the next one shows", async (_, change) => {
    await using fixture = await readSale(4);
    changeSilently(fixture.node, 2, change);
    onAnswer(fixture.node, "getProgramAccounts", 1, "torn_list");
    expect(await fixture.read(), "nothing is known of the new slot").toBeUndefined();
    expectRight(fixture);
    fixture.node.advance();
    await fixture.read();
    expectUpToDate(fixture);
  });

  it("is found out by the next list of the same read, if it shows another change", async () => {
    await using fixture = await readSale(4);
    fixture.node.advance(({ entities }) => {
      entities.set(svmEntityId(2), svmEntity({ price: 1n, refunded: true }));
      entities.set(svmEntityId(8), svmEntity({ price: 50n }));
    });
    onAnswer(fixture.node, "getProgramAccounts", 1, "torn_list");
    await fixture.read();
    expectUpToDate(fixture);
    expect(fixture.shown.map(({ refunded }) => refunded)).toEqual([true, false, false, false]);
  });

  it("is found out by that of another URL, however often the first one shows it", async () => {
    await using fixture = await readSale(4, { hasPeer: true });
    fixture.node.beforeAnswer = (method) => (method === "getProgramAccounts" ? "torn_list" : undefined);
    fixture.node.advance(({ entities }) => {
      entities.set(svmEntityId(2), svmEntity({ price: 1n, refunded: true }));
      entities.set(svmEntityId(8), svmEntity({ price: 50n }));
    });
    await fixture.read();
    expect(fixture.shown).toEqual(expectedRows(fixture.node.state));
  });

  it("doesn't confirm the list of a read that failed", async () => {
    await using fixture = await readSale(4);
    const { node } = fixture;
    changeSilently(node, 2, { price: 99n });
    hide(fixture, 4);
    await expect(fixture.read()).rejects.toBeInstanceOf(SourceFault);
    expectRight(fixture);
    hide(fixture);
    onAnswer(node, "getProgramAccounts", 1, "torn_list");
    await fixture.read();
    expectUpToDate(fixture);
  });
});

describe("a URL whose list lacks entities in every read", () => {
  it.each([undefined, 1])(
    "has none removed while it is the only one, and none once it heals (%s rows held)",
    async (maxHeldRows) => {
      await using fixture = await readSale(4, maxHeldRows === undefined ? {} : { maxHeldRows });
      hide(fixture, 4);
      expect(await readOften(fixture)).toBe(READS);
      expectRight(fixture);
      fixture.reader = fixture.newReader();
      expect(await readOften(fixture), "nor by another process").toBe(READS);
      expectRight(fixture);
      hide(fixture);
      expect(await readOften(fixture, 1)).toBe(0);
      expectUpToDate(fixture);
    },
  );

  it("has none removed that has no amount, which no total protects", async () => {
    await using fixture = await readSale(4);
    bid(fixture.node, 4, NOTHING);
    await fixture.read();
    hide(fixture, 4);
    expect(await readOften(fixture)).toBe(READS);
    fixture.reader = fixture.newReader();
    expect(await readOften(fixture)).toBe(READS);
    expectRight(fixture);
  });

  it("doesn't have a new bid left out for good, even if the sale's total seems to be another one", async () => {
    await using fixture = await readSale(4);
    bid(fixture.node, 9);
    hide(fixture, 9);
    expect(await readOften(fixture)).toBe(READS);
    expectRight(fixture);
  });

  it("is asked after another one, which has them with the next read", async () => {
    await using fixture = await readSale(4, { hasPeer: true });
    for (const change of [svmEntity({ price: 5n }), svmEntity(NOTHING)]) {
      bid(fixture.node, 6, change);
      await fixture.read();
      hide(fixture, 4, 6);
      expect(await readOften(fixture, 1)).toBeLessThanOrEqual(1);
      expect(await readOften(fixture)).toBe(0);
      expectUpToDate(fixture);
    }
  });

  it("has an account removed that isn't at its address either, with one request more than a list and its confirmation", async () => {
    await using fixture = await readSale(4);
    fixture.node.advance(({ entities }) => entities.delete(svmEntityId(4)));
    fixture.node.requests.length = 0;
    await fixture.read();
    expectUpToDate(fixture);
    expect(fixture.node.requests.toSorted()).toEqual([
      "getMultipleAccounts",
      "getMultipleAccounts",
      "getMultipleAccounts",
      "getProgramAccounts",
      "getProgramAccounts",
      "getSlot",
      "getSlot",
    ]);
  });

  it("has an account removed at whose address somebody has put money", async () => {
    await using fixture = await readSale(4);
    const { node } = fixture;
    node.funded = new Set([svmEntityAddress(node.saleAccount, svmEntityId(4))]);
    node.advance(({ entities }) => entities.delete(svmEntityId(4)));
    await fixture.read();
    expectUpToDate(fixture);
  });

  it.each([undefined, 1])(
    "has an account removed that is closed while the totals differ lastingly, after three reads (%s rows held)",
    async (maxHeldRows) => {
      await using fixture = await readSale(4, maxHeldRows === undefined ? {} : { maxHeldRows });
      const { node } = fixture;
      node.advance((state) => {
        state.miscount = 5n;
      });
      expect(await readOften(fixture, 3), "a difference is taken for the program's once it lasts").toBe(2);
      node.advance(({ entities }) => entities.delete(svmEntityId(4)));
      fixture.reader = fixture.newReader();
      expect(await readOften(fixture, 3)).toBe(2);
      expectUpToDate(fixture);
      node.advance((state) => {
        state.entities.delete(svmEntityId(6));
        state.miscount += 1_000n;
      });
      expect(await readOften(fixture, 3), "also where its amount stays in the total").toBe(2);
      expectUpToDate(fixture);
      bid(node, 2, { price: 77n });
      expect((await fixture.read())?.warning()).toContain("the sale account says");
    },
  );

  it("never makes figures wrong, only late", async () => {
    const entity = fc.integer({ min: 1, max: 6 });
    const change = fc.record({ kind: fc.constantFrom("bid", "cancel", "close"), entity });
    const step = fc.record({
      changes: fc.array(change, { maxLength: 3 }),
      hidden: fc.array(entity, { maxLength: 3 }),
      reads: fc.integer({ min: 1, max: 5 }),
      restart: fc.boolean(),
    });
    const property = async (
      steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[],
      hasPeer: boolean,
    ) => {
      await using fixture = await readSale(3, { hasPeer });
      const { node } = fixture;
      for (const { changes, hidden, reads, restart } of steps) {
        for (const { kind, entity: number } of changes) apply(node, kind, number);
        hide(fixture, ...hidden);
        if (restart) fixture.reader = fixture.newReader();
        for (let read = 0; read < reads; read += 1) {
          const before = fixture.shown;
          await readOften(fixture, 1);
          expectKnown(fixture, before, hasPeer && read > 1);
        }
      }
      hide(fixture);
      await readOften(fixture, 2);
      expectUpToDate(fixture);
    };
    const steps = fc.array(step, { minLength: 1, maxLength: 5 });
    await fc.assert(fc.asyncProperty(steps, fc.boolean(), property), { numRuns: 40 });
  });
});

function apply(node: SvmNode, kind: string, entity: number): void {
  const id = svmEntityId(entity);
  node.advance(({ slot, entities }) => {
    if (kind === "close") entities.delete(id);
    else if (kind === "bid") entities.set(id, svmEntity({ price: BigInt(slot) }));
    else if (entities.has(id)) entities.set(id, svmEntity(NOTHING));
  });
}
