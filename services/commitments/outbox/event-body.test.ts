import { expect, it } from "vitest";
import { auctionDefinition, openState, saleOf } from "../testing/samples.ts";
import { eventBody } from "./event-body.ts";

const { uuid: saleUuid } = saleOf(auctionDefinition);
const HUGE = 2n ** 256n;

it("has the names and forms of the public read", () => {
  const body = eventBody(
    { type: "sale.stage_changed", previousStage: "pre_open" },
    {
      saleUuid,
      nowMillis: 1_769_860_800_123n,
      definition: { ...auctionDefinition, name: "Sale “1”" },
      state: { ...openState, stage: "commitment" },
      figures: { amount: HUGE, commitments: 3n, clearingTick: 105n },
    },
  );
  expect(JSON.parse(body)).toEqual({
    type: "sale.stage_changed",
    timestamp: "2026-01-31T12:00:00.123Z",
    data: {
      SaleUUID: saleUuid,
      SaleName: "Sale “1”",
      Status: "open",
      Stage: "commitment",
      PreviousStage: "pre_open",
      Revision: "7",
      TotalCommitmentAmount: HUGE.toString(),
      UniqueCommitmentCount: 3,
      PaymentTokenDecimals: 6,
      ClearingPriceNumerator: "105",
      ClearingPriceDenominator: "1000000000000000",
      ClearingPriceMicroUSD: "105000",
    },
  });
});

it("leaves out what isn't there", () => {
  const facts = { saleUuid, nowMillis: 0n, definition: auctionDefinition, state: openState };
  expect(JSON.parse(eventBody({ type: "sale.fault_began", fault: "late" }, facts))).toEqual({
    type: "sale.fault_began",
    timestamp: "1970-01-01T00:00:00.000Z",
    data: { SaleUUID: saleUuid, SaleName: "Auction", Status: "open", Fault: "late", Revision: "7" },
  });
});
