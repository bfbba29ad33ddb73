import { describe, expect, it } from "vitest";
import { expectUpToDate, readSale } from "../../../../test/support/chains/svm-reader-fixture.ts";

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
