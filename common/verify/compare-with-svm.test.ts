import { describe, expect, it } from "vitest";
import type { ShownSale } from "./compare/shown-sale.ts";
import { figuresAtSlot } from "./compare-with-svm.ts";

const { signal } = new AbortController();
const slot = (height: bigint) => ({ height, hash: "" });

/** Figures as they are read one after the other; the last ones again and again. */
function figures(...states: readonly Partial<ShownSale>[]) {
  let reads = 0;
  const readShown = async () => {
    reads += 1;
    return { isFinal: false, ...(states[reads - 1] ?? states.at(-1)) } as ShownSale;
  };
  const options = { readShown, wait: async () => {}, signal };
  return { at: (height: bigint) => figuresAtSlot(height, options), reads: () => reads };
}

describe("figuresAtSlot", () => {
  it("waits until the figures are current up to the slot", async () => {
    const { at, reads } = figures({ asOf: slot(8n), changedAt: slot(3n) }, { asOf: slot(12n), changedAt: slot(3n) });
    expect(await at(10n)).toMatchObject({ areEqual: true, shown: { asOf: slot(12n) } });
    expect(reads()).toBe(2);
  });

  it("refuses figures that changed after the slot", async () => {
    await expect(figures({ asOf: slot(12n), changedAt: slot(11n) }).at(10n)).rejects.toThrow("the sale changed");
  });

  it("takes figures for equal that can't change any more", async () => {
    expect(await figures({ asOf: slot(2n), changedAt: slot(1n), isFinal: true }).at(10n)).toMatchObject({
      areEqual: true,
    });
  });

  it.each([
    ["never become current", { asOf: slot(8n), changedAt: slot(3n) }],
    ["may have changed at any slot", { asOf: slot(12n) }],
  ])("doesn't take figures for equal that %s", async (_, state) => {
    expect(await figures(state).at(10n)).toMatchObject({ areEqual: false });
  });

  it("takes figures for equal that are current up to just that slot", async () => {
    expect(await figures({ asOf: slot(10n) }).at(10n)).toMatchObject({ areEqual: true });
  });
});
