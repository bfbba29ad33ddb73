import { describe, expect, it } from "vitest";
import type { SvmNode } from "../../../../test/support/chains/svm-node.ts";
import { bid, expectUpToDate, readSale } from "../../../../test/support/chains/svm-reader-fixture.ts";
import { svmAddress } from "../../../../test/support/chains/svm-sale.ts";
import type { Snapshot } from "../../source-snapshot.ts";

describe("a chain that is behind the last read", () => {
  it("is believed after a while, so that a slot that never existed can't stop a sale for ever", async () => {
    await using fixture = await readSale(3);
    fixture.store.position = { height: 9_000_000n, hash: "" };
    for (let snapshot = 0; snapshot < 5; snapshot += 1) {
      await expect(fixture.read()).rejects.toMatchObject({ name: "SourceFault", remedy: "wait" });
      expect(fixture.store.position.height).toBe(9_000_000n);
    }
    await fixture.read();
    expectUpToDate(fixture);
    fixture.node.advance(({ entities }) => entities.clear());
    await fixture.read();
    expectUpToDate(fixture);
  });

  it("isn't believed if it catches up", async () => {
    await using fixture = await readSale(3);
    const { position } = fixture.store;
    fixture.store.position = { height: BigInt(fixture.node.state.slot) + 40n, hash: "" };
    const failed: unknown[] = [];
    for (let snapshot = 0; snapshot < 20; snapshot += 1) {
      await fixture.read().catch((error: unknown) => failed.push(error));
      expect(fixture.store.position?.height ?? 0n).toBeGreaterThan(position?.height ?? 0n);
    }
    expect(failed.length).toBeLessThan(20);
    expectUpToDate(fixture);
  });
});

describe("a chain that is read at final slots", () => {
  it("is never believed behind the last read, also by another process", async () => {
    await using fixture = await readSale(3, { chain: () => ({ commitment: "finalized" }) });
    const position = { height: BigInt(fixture.node.state.slot) + 9_000n, hash: "" };
    fixture.store.position = position;
    for (const takesOver of [false, true]) {
      if (takesOver) fixture.reader = fixture.newReader();
      for (let read = 0; read < 12; read += 1) {
        await expect(fixture.read()).rejects.toMatchObject({ name: "SourceFault", remedy: "wait" });
      }
      expect(fixture.store.position).toEqual(position);
    }
    while (fixture.node.state.slot <= position.height) fixture.node.advance();
    await fixture.read();
    expectUpToDate(fixture);
  });
});

describe("an answer whose totals differ", () => {
  it.each([
    ["whole", 5_000],
    ["in chunks", 2],
  ])("at a far slot doesn't make the right answers seem to lag, for a sale that is read %s", async (_, maxHeldRows) => {
    await using fixture = await readSale(3, { chain: () => ({ commitment: "finalized" }), maxHeldRows });
    const { node } = fixture;
    const right = [...node.states];
    node.states.push({ ...structuredClone(node.state), slot: node.state.slot + 9_000, miscount: 5n });
    fixture.reader = fixture.newReader();
    await expect(fixture.read()).rejects.toThrow("the sale account says");
    node.states.splice(0, node.states.length, ...right);
    bid(node, 9);
    await fixture.read();
    expectUpToDate(fixture);
  });
});

describe("another cluster behind the same URL", () => {
  const known = { chain: ({ genesisHash }: SvmNode) => ({ genesisHash }) };

  it.each([
    ["at higher slots", 1_000],
    ["at lower slots", -50],
  ])("%s is never shown, and its slots don't count", async (_, slots) => {
    await using fixture = await readSale(3, known);
    const { node, store } = fixture;
    for (let slot = 0; slot < 60; slot += 1) node.advance();
    await fixture.read();
    const [right, { position }, shown, hash] = [[...node.states], store, fixture.shown, node.genesisHash];
    node.genesisHash = svmAddress("other cluster");
    node.states.push({ ...structuredClone(node.state), slot: node.state.slot + slots });
    bid(node, 9);
    for (let read = 0; read < 12; read += 1) {
      await expect(fixture.read()).rejects.toMatchObject({ name: "SourceFault" });
      expect([store.position, fixture.shown]).toEqual([position, shown]);
    }
    await expect(fixture.read()).rejects.toThrow("genesis hash is");
    node.genesisHash = hash;
    node.states.splice(0, node.states.length, ...right);
    bid(node, 8);
    await fixture.read();
    expectUpToDate(fixture);
    expect(fixture.shown).toHaveLength(4);
  });

  it("is noticed while a large sale is read in chunks", async () => {
    await using fixture = await readSale(3, { ...known, maxHeldRows: 2 });
    const { node, store } = fixture;
    const { position } = store;
    bid(node, 1);
    bid(node, 3);
    bid(node, 5);
    fixture.reader = fixture.newReader();
    const snapshot = await fixture.reader.next(store, new AbortController().signal);
    node.genesisHash = svmAddress("other cluster");
    await expect(store.apply(snapshot as Snapshot)).rejects.toThrow("genesis hash is");
    expect(store.position).toEqual(position);
  });
});
