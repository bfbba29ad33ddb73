import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import {
  ClearingOutcome,
  GetBidOutcomesResponseSchema,
  NotCountedReason,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleStage, SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { bidStandings } from "./bid-standings.ts";

it("are those of the sale's page, for what matters to mails", () => {
  const counts = [
    { clearingOutcome: ClearingOutcome.IN },
    { clearingOutcome: ClearingOutcome.AT_MARGIN },
    { clearingOutcome: ClearingOutcome.OUT },
    { clearingOutcome: ClearingOutcome.BELOW_FLOOR },
    { notCountedReason: NotCountedReason.REFUNDED },
    { notCountedReason: NotCountedReason.NO_AMOUNT },
    {},
  ];
  const bids = counts.map((count, index) => ({ commitmentId: Uint8Array.of(index), ...count }));
  const answer = create(GetBidOutcomesResponseSchema, {
    status: SaleStatus.OPEN,
    stage: SaleStage.COMMITMENT,
    wallets: [{ bids: bids.slice(0, 2) }, { bids: bids.slice(2) }],
  });
  expect([...bidStandings(answer.wallets, answer)]).toEqual([
    ["00", "in"],
    ["01", "at_margin"],
    ["02", "out"],
    ["03", "out"],
    ["04", "in"],
    ["05", "in"],
    ["06", "in"],
  ]);
});
