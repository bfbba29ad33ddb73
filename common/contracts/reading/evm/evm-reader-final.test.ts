import { describe, expect, it } from "vitest";
import { saleRow } from "../../../../test/support/chains/evm-chain.ts";
import { ReaderFixture } from "../../../../test/support/chains/evm-reader-fixture.ts";

/** A sale whose rows were read at final blocks, which the fake node calls those two below its newest one. */
async function finalSale(): Promise<ReaderFixture> {
  const fixture = await ReaderFixture.start({}, { confirmations: "finalized" });
  for (let index = 0; index < 8; index += 1) fixture.chain.put(index, saleRow(index + 1));
  await fixture.read();
  return fixture;
}

/** Replaces the newest blocks, final ones among them, by more blocks that take bids back. */
function replaceFinal({ chain }: ReaderFixture): void {
  chain.drop(6);
  for (let block = 0; block < 20; block += 1) chain.put(2, saleRow(3, { priceTicks: BigInt(50 + block) }));
}

/** Reads often. @returns the texts of the faults. */
async function reads(fixture: ReaderFixture): Promise<ReadonlySet<string>> {
  const faults = new Set<string>();
  for (let read = 0; read < 12; read += 1) {
    await fixture.read().catch((error: unknown) => faults.add((error as Error).message));
  }
  return faults;
}

describe("a sale that is read at final blocks", () => {
  it("keeps its figures if a final block is replaced, and says so, before and after a restart", async () => {
    await using fixture = await finalSale();
    const { position, visible } = fixture.store;
    expect(position).toMatchObject({ height: 6n });
    replaceFinal(fixture);
    for (const restart of [() => undefined, () => fixture.restart()]) {
      restart();
      expect([...(await reads(fixture))]).toEqual([
        expect.stringContaining("block 6 than the one that was read as final"),
      ]);
      expect(fixture.heads.isFinalContradicted).toBe(true);
      expect(fixture.store.position).toEqual(position);
      expect(fixture.store.visible).toEqual(visible);
    }
  });

  it("keeps its figures if the final height is lower, before and after a restart", async () => {
    await using fixture = await finalSale();
    const { position, visible } = fixture.store;
    fixture.chain.drop(4);
    expect([...(await reads(fixture))]).toEqual([expect.stringContaining("taken back a block that it called final")]);
    fixture.restart();
    expect([...(await reads(fixture))]).toEqual([
      expect.stringContaining("too few of its URLs have block 6, which was read as final"),
    ]);
    expect(fixture.store.position).toEqual(position);
    expect(fixture.store.visible).toEqual(visible);
  });

  it("goes on after a restart where the stored block is still final", async () => {
    await using fixture = await finalSale();
    fixture.restart();
    fixture.chain.put(8, saleRow(9));
    await fixture.read();
    expect(fixture.store.position).toMatchObject({ height: 7n });
    expect(fixture.store.visible).toHaveLength(7);
  });
});

describe("a sale that is read before blocks are final", () => {
  it("follows the chain to a lower height and across a re-organisation, also after a restart", async () => {
    await using fixture = await ReaderFixture.start();
    for (let index = 0; index < 8; index += 1) fixture.chain.put(index, saleRow(index + 1));
    await fixture.read();
    fixture.restart();
    fixture.chain.drop(4);
    await reads(fixture);
    expect(fixture.store.position).toMatchObject({ height: 4n });
    fixture.restart();
    fixture.chain.drop(1);
    fixture.chain.put(3, saleRow(5));
    await reads(fixture);
    expect(fixture.store.visible.map(({ entityId }) => Number(`0x${entityId}`))).toEqual([1, 2, 3, 5]);
  });
});
