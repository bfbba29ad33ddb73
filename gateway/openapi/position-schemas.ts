import { SALE_STAGES } from "../../common/sale/state/stage.ts";
import { FOUND_WALLET, LOOKED_UP_WALLET } from "./chain-schemas.ts";
import { digits, hex, integer, type Json, listOf, object, text } from "./schema-parts.ts";

type Fields = Readonly<Record<string, Json>>;

const MAX_LISTED = 100;
const ALLOCATIONS =
  "What is accepted of the wallet, for the entities of these commitments; by entity, then by token. Absent before the settlement, and where the sale's contract doesn't say it.";

/** Returns the request and the answer of a look-up. @param commitment fields of a commitment @param clearing of a clearing price */
export function positionSchemas(commitment: Fields, clearing: Fields): Fields {
  return {
    ReadPositionRequest: object(
      "Whose commitments to read. Unknown fields are ignored.",
      {
        SaleUUID: { type: "string", format: "uuid", description: "The sale, in upper or lower case." },
        Wallet: LOOKED_UP_WALLET,
        PageToken: { ...text("`NextPageToken` of the page before."), maxLength: 64 },
      },
      ["PageToken"],
    ),
    Position: object(
      "What a wallet has committed, at one moment.",
      {
        Wallet: FOUND_WALLET,
        Commitments: {
          ...listOf("PositionCommitment", "By `CommitmentID` ascending; empty for a wallet that has none."),
          maxItems: MAX_LISTED,
        },
        NextPageToken: text("Where the wallet has more commitments: send it as `PageToken` to get them."),
        PaymentTokenDecimals: integer("Decimals of every amount in the answer."),
        Status: { ...text("As the sale's own `Status`, at the same moment."), enum: ["open", "settled"] },
        Stage: { ...text("As the sale's own `Stage`, at the same moment."), enum: SALE_STAGES },
        ...clearing,
        Undersubscribed: {
          type: "boolean",
          description:
            "Nothing clears yet, and the clearing price is the floor: what is bid there or above doesn't pay for the offer. Absent otherwise, and where none of these commitments counts.",
        },
        Allocations: listOf("PositionAllocation", ALLOCATIONS),
        ExitsAsOfBlock: digits(
          "The block up to which `Exit` of the commitments was worked out. It may lag behind the figures. Absent where bids don't leave by a call, and as long as nothing is known of that.",
        ),
        AllocationsDiffer: {
          type: "boolean",
          description:
            "The accepted amounts of all entities don't add up to the contract's own total: don't rely on them. Absent where they do.",
        },
      },
      [
        "NextPageToken",
        "Status",
        "Stage",
        "Undersubscribed",
        "Allocations",
        "ExitsAsOfBlock",
        "AllocationsDiffer",
        ...Object.keys(clearing),
      ],
    ),
    PositionCommitment: object(
      "A commitment that names the wallet, with the amounts of all its wallets.",
      { ...commitment, ...OUTCOME_FIELDS },
      ["PriceMicroUSD", "NotCountedReason", "ClearingOutcome", "Exit"],
    ),
    BidExit: object(
      "What a bid gets in an auction that it leaves by a call, and by which. Whether it has left already isn't said.",
      {
        Standing: {
          type: "string",
          enum: STANDINGS,
          description:
            "`may_get_more`: neither outbid nor is the auction over; `awaits_checkpoint`: it gets nothing more, but somebody has to call `checkpoint()` before it can leave; `awaits_graduation`: outbid, and can leave once enough is raised, or at the end, when all is refunded if it never is; `outbid`: can leave; `at_final_price` and `above_final_price`: the auction is over; `not_graduated`: it is over without enough raised, so all is refunded; `locked`: by the contract's rounding every call to leave reverts, for good.",
        },
        SpentAmount: digits(
          "What it spends, rounded up, in `PaymentTokenDecimals`. Absent while that can change, and if it is locked.",
        ),
        RefundAmount: digits("What is refunded when it leaves. Absent as `SpentAmount`."),
        Tokens: digits("The tokens that it gets, in smallest units. Absent as `SpentAmount`."),
        Function: {
          type: "string",
          enum: EXIT_FUNCTIONS,
          description: "The function by which it leaves now. Absent if there is none.",
        },
        Arguments: {
          type: "array",
          items: digits("A whole number."),
          description: "The function's arguments. Absent if there is none.",
        },
      },
      ["SpentAmount", "RefundAmount", "Tokens", "Function", "Arguments"],
    ),
    PositionAllocation: object(
      "What the sale accepts of the wallet, for one entity and payment token. Amounts have `PaymentTokenDecimals`.",
      {
        SaleSpecificEntityID: hex(16, "The entity, as in its commitments."),
        TokenAddress: text("The payment token, as in amounts."),
        AcceptedAmount: digits("What is accepted: the rest of what was committed is paid back."),
        RefundedAmount: digits(
          "What has been paid back. Absent where the sale has no contract, or one that doesn't mark what it has paid back.",
        ),
      },
      ["RefundedAmount"],
    ),
  };
}

const STANDINGS = [
  ...["may_get_more", "awaits_checkpoint", "awaits_graduation", "outbid"],
  ...["at_final_price", "above_final_price", "not_graduated", "locked"],
];
const EXIT_FUNCTIONS = ["exitBid", "exitPartiallyFilledBid"];

const OUTCOME_FIELDS: Fields = {
  Exit: {
    $ref: "#/components/schemas/BidExit",
    description: "Only in an auction that bids leave by a call, and absent as long as it isn't known.",
  },
  Counted: { type: "boolean", description: "Whether it counts in the sale's figures." },
  NotCountedReason: {
    type: "string",
    enum: ["refunded", "no_amount"],
    description: "Why it doesn't count. Absent where it does.",
  },
  ClearingOutcome: {
    type: "string",
    enum: ["in", "at_margin", "out", "below_floor"],
    description:
      "What the clearing price, as it is now, means for it: `in` above the price, and at it while all that is bid at it or above can be bought; `at_margin` at it once more is bid; `out` below; `below_floor` below the floor, where it isn't part of the demand. How much is accepted in the end isn't said by this. Absent where it doesn't count, and at a fixed price.",
  },
};
