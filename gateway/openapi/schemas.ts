import { LIST_LIMIT } from "../../common/sale/figures/public-list.ts";
import { ADDRESS } from "./chain-schemas.ts";
import { positionSchemas } from "./position-schemas.ts";
import { SALE_SCHEMAS } from "./sale-schemas.ts";
import { digits, hex, integer, type Json, listOf, object, ref, text, time } from "./schema-parts.ts";

const CLEARING_PRICE = {
  ClearingPriceNumerator: digits(
    "Numerator of the auction's clearing price, which is its floor as long as what is bid there or above doesn't pay for the offer: smallest units of `PaymentTokenDecimals` for one smallest unit of the offered token. Absent in a fixed-price sale.",
  ),
  ClearingPriceDenominator: digits("Denominator of the auction's clearing price. Absent in a fixed-price sale."),
  ClearingPriceMicroUSD: digits(
    "The clearing price of one whole offered token in millionths of a dollar, rounded down. Absent in a fixed-price sale, and unless every payment token is a dollar stablecoin and the offered decimals are known.",
  ),
};
const CLEARING_FIELDS = Object.keys(CLEARING_PRICE);

const TOTALS = {
  TotalCommitmentAmount: digits(
    "Sum of all commitments that count, not only of those listed, in smallest units of `PaymentTokenDecimals`.",
  ),
  UniqueCommitmentCount: integer("How many commitments count."),
  PaymentTokenDecimals: integer('Decimals of every amount in the answer: 6 means that `"1500000"` is 1.5.'),
  OfferedTokenDecimals: integer("Decimals of the token that is sold. Absent where the sale doesn't set them."),
  ...CLEARING_PRICE,
  BelowFloorAmount: digits(
    "The part of the total that is bid below the auction's floor, and isn't part of the demand. Absent where there is none.",
  ),
};
const OPTIONAL_TOTALS = ["OfferedTokenDecimals", ...CLEARING_FIELDS, "BelowFloorAmount"];

const MAX_HISTORY_POINTS = 300;
const MAX_LEVELS = 200;

const COMMITMENT_FIELDS = {
  CommitmentID: hex(32, "Unique in the sale: 32 bytes."),
  SaleSpecificEntityID: hex(16, "Who commits: 16 bytes. An entity may have several commitments."),
  PriceNumerator: digits(
    "Numerator of the price: smallest units of `PaymentTokenDecimals` for one smallest unit of the offered token. The fraction isn't reduced.",
  ),
  PriceDenominator: digits("Denominator of the price."),
  PriceMicroUSD: digits(
    "The price of one whole offered token in millionths of a dollar, rounded down. Absent unless every payment token is a dollar stablecoin and the offered decimals are known.",
  ),
  Amounts: listOf("WalletTokenAmount", "What is committed, by wallet and token."),
  CreatedAt: time("When the commitment was made or last raised: UTC, whole seconds."),
  ExtraDataRaw: {
    type: "string",
    pattern: "^0x([0-9a-f]{2})*$",
    description: "What the contract keeps beside the commitment; `0x` for nothing.",
  },
  ExtraDataParsed: {
    type: "object",
    additionalProperties: true,
    description:
      "The same by name, where the sale says how to read it and it can be read so; else `{}`. Integers are strings of digits, bytes and addresses are hex.",
  },
};

/** Requests and answers of the public read. */
export const PUBLIC_READ_SCHEMAS: Readonly<Record<string, Json>> = {
  ReadSaleRequest: object("Which sale to read. Unknown fields are ignored.", {
    SaleUUID: { type: "string", format: "uuid", description: "The sale, in upper or lower case." },
  }),
  ReadCommitmentDataRequest: object("Which sale to read. Unknown fields are ignored.", {
    SaleUUID: { type: "string", format: "uuid", description: "The sale, in upper or lower case." },
  }),
  CommitmentData: object(
    "A sale's figures, all of one moment.",
    {
      Commitments: {
        ...listOf(
          "Commitment",
          "The latest commitments that count, newest first; of the same second, by `CommitmentID`.",
        ),
        maxItems: LIST_LIMIT,
      },
      ...TOTALS,
    },
    OPTIONAL_TOTALS,
  ),
  Commitment: object("A commitment to the sale.", COMMITMENT_FIELDS, ["PriceMicroUSD"]),
  WalletTokenAmount: object("An amount of one token that one wallet committed.", {
    Wallet: ADDRESS,
    TokenAddress: text("The payment token, in the same forms."),
    Amount: digits("In smallest units of `PaymentTokenDecimals`, whatever the token's own decimals are."),
  }),
  CommitmentDataDifference: object(
    "The data of a `difference` event. Where `AppliesTo` isn't the `id` of the last event with one, open a new stream without `Last-Event-ID`, for a whole body. Otherwise take `Removed` and those of `Upserted` out of the list, put each of `Upserted` in at its `Index`, in this order, and take all other fields from `Totals`.",
    {
      AppliesTo: text("The `id` of the event whose figures it changes."),
      Removed: { type: "array", items: hex(32, "A `CommitmentID`."), description: "No longer among the latest." },
      Upserted: listOf("UpsertedCommitment", "New and changed commitments."),
      Totals: object("All fields of the body but `Commitments`.", TOTALS, OPTIONAL_TOTALS),
    },
  ),
  UpsertedCommitment: object("A commitment and its place in the list.", {
    Index: { type: "integer", minimum: 0, maximum: LIST_LIMIT - 1, description: "Where it belongs." },
    Commitment: ref("Commitment"),
  }),
  FeedState: object("The data of `state` and `heartbeat` events: how current the figures are.", {
    AsOf: {
      oneOf: [ref("AsOf"), { type: "null" }],
      description: "`null` for a sale that isn't read from a contract.",
    },
    BehindSeconds: integer(
      "Seconds since that was last confirmed. 0 once the sale is settled and nothing can change any more.",
    ),
    Fault: text("Why the figures stand still, in words for visitors of a page; empty while they don't."),
    Settled: { type: "boolean", description: "Whether the sale is over." },
    PaymentSymbol: text("Symbol of the payment tokens; empty where they have different ones or it isn't known."),
  }),
  AsOf: object(
    "The block up to which the figures are known to be those of the contract. They may include a later one already.",
    {
      Block: digits("Number of the block, or of the slot."),
      BlockHash: hex(32, "Hash of the block. Absent for a slot."),
      BlockTime: integer("The block's own time, in seconds since 1970. Absent where it isn't known."),
      LastSuccess: integer("When this was last confirmed, in seconds since 1970."),
    },
    ["BlockHash", "BlockTime"],
  ),
  ...SALE_SCHEMAS,
  ...positionSchemas(COMMITMENT_FIELDS, CLEARING_PRICE),
  History: object("A sale's figures over time.", {
    Points: {
      ...listOf("HistoryPoint", "By time ascending. Where nothing changed there is no point: the one before goes on."),
      maxItems: MAX_HISTORY_POINTS,
    },
    PaymentTokenDecimals: integer("Decimals of every amount in the answer."),
  }),
  HistoryPoint: object(
    "The figures at the end of a span of time.",
    {
      From: time("When the span begins: UTC, whole seconds."),
      Seconds: { type: "integer", minimum: 1, description: "How long it is." },
      TotalCommitmentAmount: digits("Sum of all commitments that counted, in smallest units."),
      UniqueCommitmentCount: integer("How many commitments counted."),
      ...CLEARING_PRICE,
    },
    CLEARING_FIELDS,
  ),
  Demand: object(
    "How much is bid in an auction at which price.",
    {
      Levels: {
        ...listOf("PriceLevel", "From the highest price down. Prices at which nobody bids aren't listed."),
        maxItems: MAX_LEVELS,
      },
      PaymentTokenDecimals: integer("Decimals of every amount in the answer."),
      ...CLEARING_PRICE,
    },
    ["ClearingPriceMicroUSD"],
  ),
  PriceLevel: object("The commitments within a range of prices; its two ends are the same where there is one price.", {
    LowestPriceNumerator: digits("Numerator of the lowest price."),
    LowestPriceDenominator: digits("Denominator of the lowest price."),
    HighestPriceNumerator: digits("Numerator of the highest price."),
    HighestPriceDenominator: digits("Denominator of the highest price."),
    Amount: digits("Committed at these prices, in smallest units."),
    CumulativeAmount: digits("Committed at these and all higher prices, in smallest units."),
    CommitmentCount: integer("How many commitments there are at these prices."),
  }),
  Error: {
    type: "object",
    description: "Why a request wasn't met. For those who build a page, not for its visitors.",
    properties: {
      code: text("What kind of error it is, such as `not_found`."),
      message: text("The same in words, with what was wrong."),
      details: {
        type: "object",
        additionalProperties: true,
        description:
          "`violations` with `field`, `rule` and `message` for a wrong request, `id` for an internal error; else empty.",
      },
    },
  },
};
