import { expect, it } from "vitest";
import { auctionDefinition, openState, saleOf } from "../../testing/samples.ts";
import type { SaleState } from "./sale-state.ts";
import {
  requireDraft,
  requireNoChangeSet,
  requireSameStatus,
  requireSettleable,
  requireVersion,
} from "./sale-transitions.ts";

const draft: SaleState = { ...openState, status: "draft" };
const withSet: SaleState = { ...openState, changeSet: { uuid: "a1", nextPart: 1 } };
const staged: SaleState = { ...openState, stage: "commitment" };

it.each<[string, () => void]>([
  ["the sale is open already", () => requireDraft(openState)],
  ["the sale is draft, not open", () => requireSettleable(draft)],
  ["change set a1 is open", () => requireSettleable(withSet)],
  ["the sale's contract decides when it is settled", () => requireSettleable(staged)],
  ["change set a1 is open; finish it first", () => requireNoChangeSet(withSet)],
  ["the definition is at version 1", () => requireVersion(saleOf(auctionDefinition), 2n)],
  ["the sale is draft now", () => requireSameStatus(openState, draft)],
  ["the sale is open now", () => requireSameStatus(openState, { ...openState, settleCount: 1n })],
])("refuses: %s", (message, check) => {
  expect(check).toThrow(message);
});

it("admits what fits", () => {
  requireDraft(draft);
  requireSettleable(openState);
  requireNoChangeSet(openState);
  requireVersion(saleOf(auctionDefinition), 1n);
  requireSameStatus(openState, staged);
});
