import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import "../../testing/english-words.ts";
import { describe, expect, it } from "vitest";
import {
  ClearingOutcome,
  GetPositionResponseSchema,
  NotCountedReason,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleStage, SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { SaleWalletSchema } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { positionView } from "../../sale-page/browser/position-view.js";
import { bidStates, ownBids } from "./own-bids.ts";

const position = (given: MessageInitShape<typeof GetPositionResponseSchema>) =>
  create(GetPositionResponseSchema, given);
const amounts = [{ amount: "60" }, { amount: "40" }].map((each) => ({ ...each, wallet: "0x1" }));
const SETTLED = { wallet: "0x1", status: SaleStatus.SETTLED, stage: SaleStage.DONE };

/** A commitment of public JSON. */
const COMMITMENT = {
  ...{ CommitmentID: "0x01", SaleSpecificEntityID: "0x02", PriceNumerator: "1", PriceDenominator: "1" },
  ...{ CreatedAt: "2026-01-31T12:00:00Z", ExtraDataRaw: "0x", ExtraDataParsed: {}, Counted: true },
} as const;
const LOOKED_UP = {
  units: { payment: 0, offered: 0, dollars: true, symbol: "", language: "en" },
  facts: { Status: "settled", OfferedToken: {} },
  now: 0,
} as const;

describe("the states of a wallet's bids", () => {
  it("are one for each kind of outcome", () => {
    const commitments = [
      { clearingOutcome: ClearingOutcome.IN },
      { clearingOutcome: ClearingOutcome.IN },
      { clearingOutcome: ClearingOutcome.AT_MARGIN },
      { clearingOutcome: ClearingOutcome.OUT },
      { clearingOutcome: ClearingOutcome.BELOW_FLOOR },
      { notCountedReason: NotCountedReason.REFUNDED },
      { notCountedReason: NotCountedReason.NO_AMOUNT },
      {},
    ];
    expect(bidStates(position({ commitments }))).toEqual([
      "in",
      "at_margin",
      "out",
      "below_floor",
      "refunded",
      "no_amount",
      "counts",
    ]);
  });

  it("are none before the first", () => {
    expect(bidStates(position({}))).toEqual(["none"]);
  });

  it.each([
    ["100", "accepted"],
    ["99", "partly_accepted"],
    ["0", "not_accepted"],
  ])("say after the settlement what is accepted: %s of 100", (accepted, state) => {
    const others = { amount: "900", wallet: "0x2" };
    const commitment = { amounts: [...amounts, others] };
    const cancelled = { commitment, notCountedReason: NotCountedReason.REFUNDED };
    const commitments = [{ commitment, clearingOutcome: ClearingOutcome.OUT }, cancelled];
    const allocated = { saleAllocations: {}, allocations: [{ accepted }] };
    expect(bidStates(position({ ...SETTLED, commitments, ...allocated }))).toEqual([state]);
  });

  it("say of a settled sale that it is over where nobody knows what was accepted", () => {
    const commitments = [{ clearingOutcome: ClearingOutcome.OUT }, { clearingOutcome: ClearingOutcome.IN }];
    expect(bidStates(position({ ...SETTLED, commitments }))).toEqual(["over"]);
  });

  it("are those of the sale's page where allocations don't add up, which is said beside them", async () => {
    const commitments = [{ commitment: { amounts }, clearingOutcome: ClearingOutcome.IN }];
    const found = position({
      ...SETTLED,
      commitments,
      ...{ saleAllocations: { differs: true }, allocations: [{ accepted: "100" }] },
    });
    const wallet = create(SaleWalletSchema, { saleUuid: "a", wallet: "0x1" });
    const [bids] = await ownBids({ getPosition: async () => found }, [wallet]);
    expect(bids).toMatchObject({ states: ["accepted"], differs: true });
    const shown = positionView(
      {
        ...{ Wallet: "0x1", Status: "settled", Stage: "done", AllocationsDiffer: true, PaymentTokenDecimals: 0 },
        Commitments: [{ ...COMMITMENT, Amounts: [{ Wallet: "0x1", TokenAddress: "0xa1", Amount: "100" }] }],
        Allocations: [{ SaleSpecificEntityID: "0x02", TokenAddress: "0xa1", AcceptedAmount: "100" }],
      },
      LOOKED_UP,
    );
    expect([shown.bids.map(({ state }) => state), shown.differs]).toEqual([bids?.states, true]);
  });

  it("aren't known of a sale that can't be read", async () => {
    const wallets = ["a", "b"].map((saleUuid) => create(SaleWalletSchema, { saleUuid, wallet: "0x1" }));
    const getPosition = async ({ saleUuid }: { saleUuid?: string }) => {
      if (saleUuid === "b") throw new ConnectError("away", Code.Unavailable);
      return position({});
    };
    const bids = await ownBids({ getPosition }, wallets);
    expect(bids.map(({ saleUuid, states }) => [saleUuid, ...states])).toEqual([
      ["a", "none"],
      ["b", "unknown"],
    ]);
  });
});
