import { expect, it } from "vitest";
import { PERMIT_LIFETIME_MS, PERMIT_STOP_MS, SALE_FACTS_REUSE_MS, SALE_FACTS_TRUST_MS } from "./lifetimes.ts";

it("keeps permits stopped until no process trusts older facts about the sale, with a minute for a call", () => {
  expect(PERMIT_STOP_MS).toBeGreaterThanOrEqual(60_000n + BigInt(SALE_FACTS_TRUST_MS));
});

it("trusts facts about a sale for longer than it reuses them, so that a transaction has time", () => {
  expect(SALE_FACTS_TRUST_MS).toBeGreaterThan(SALE_FACTS_REUSE_MS);
});

it("gives permits of ten minutes, as documented", () => {
  expect(PERMIT_LIFETIME_MS).toBe(600_000n);
});
