import { CHAIN_FAMILIES } from "../../common/chains/base/chain-family.ts";
import { enumNames } from "../../common/platform/encoding/enum-name.ts";
import { SALE_FIELDS, type SaleField, type SaleFieldKind } from "../../common/sale/definition/sale-fields.ts";
import { SALE_STAGES } from "../../common/sale/state/stage.ts";
import { ContractFamilySchema } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { ADDRESS, SALE_ADDRESS, SIGNER } from "./chain-schemas.ts";
import { digits, integer, type Json, listOf, object, ref, text, time } from "./schema-parts.ts";

const choice = (description: string, ...options: readonly string[]): Json => ({
  type: "string",
  enum: options,
  description,
});
const link = (description: string): Json => ({ type: "string", format: "uri", description });
const OF_KINDS: Readonly<Record<SaleFieldKind, (description: string) => Json>> = {
  text,
  link,
  contact: text,
  symbol: text,
  amount: digits,
  time,
  switch: (description) => ({ type: "boolean", description }),
  logo: (description) => ({ type: "string", format: "uri-reference", description }),
};

/** Returns the schemas of the fields that a founder enters. @param name the object that they are in; undefined for the sale */
function fieldsIn(name: SaleField["json"]["in"]): Readonly<Record<string, Json>> {
  const fields = SALE_FIELDS.filter(({ json }) => json.in === name);
  return Object.fromEntries(fields.map(({ kind, json }) => [json.name, OF_KINDS[kind](json.description)]));
}

const FEED = {
  AsOf: {
    ...ref("AsOf"),
    description: "Absent for a sale that isn't read from a contract, and before its first report.",
  },
  BehindSeconds: integer(
    "Seconds since that was last confirmed. 0 once the sale is settled and nothing can change any more.",
  ),
  Fault: text("Why the figures stand still, in words for visitors of a page; empty while they don't."),
};

const PRICES = {
  PriceNumerator: digits(
    "Numerator of the price: smallest units of `PaymentTokenDecimals` for one smallest unit of the offered token. Only at a fixed price.",
  ),
  PriceDenominator: digits("Denominator of the price. Only at a fixed price."),
  FloorNumerator: digits("Numerator of the lowest price at which an auction clears, in the same units."),
  FloorDenominator: digits("Denominator of that price. Only in an auction."),
  IncrementNumerator: digits(
    "Numerator of the distance between two prices at which an auction can clear, in the same units.",
  ),
  IncrementDenominator: digits("Denominator of that distance. Only in an auction."),
  PriceTickNumerator: digits(
    "Numerator of what one price tick of the contract is worth, in the same units. A commitment's price is that, times its ticks.",
  ),
  PriceTickDenominator: digits("Denominator of what one price tick is worth."),
  WidePrices: {
    const: true,
    description: "Whether a price can be up to 2^160-1 price ticks. Absent where it can be up to 2^64-1.",
  },
  ClearingRule: {
    const: "lowest_not_outbid",
    description:
      "Only in an auction that clears at the lowest price at which the demand above it costs no more than the offer. Any other clears at the highest price at which the bids at it or above buy the whole offer.",
  },
};

/** The fields that don't change with every block. */
const FACTS = {
  SaleUUID: { type: "string", format: "uuid", description: "The sale, in lower case." },
  Name: text("Its name, plain text."),
  Tenancy: choice("Whether it moves real money.", "test", "live"),
  Status: choice("Whether it is over.", "open", "settled"),
  Stage: choice(
    "The contract's stage. Absent where it isn't known, and for a sale without a contract.",
    ...SALE_STAGES,
  ),
  Pricing: choice("Whether everybody pays the same price, or each bid names one.", "fixed", "auction"),
  ...PRICES,
  OfferedToken: ref("OfferedToken"),
  PaymentTokens: { ...listOf("PaymentToken", "The tokens that are paid with."), minItems: 1 },
  PaymentTokenDecimals: integer("Decimals of amounts of this sale, whatever the tokens' own are."),
  ExtraDataParameters: text(
    "The parameters of extra data, such as `uint64 tier, bool member`, by which `ExtraDataParsed` is made. Absent where it is always empty.",
  ),
  Contract: { ...ref("SaleContract"), description: "Absent for a sale without a contract." },
  Signer: SIGNER,
  AcceptedAmount: digits(
    "What a settled sale accepts of all commitments together, in `PaymentTokenDecimals`. Absent while that isn't known.",
  ),
  ...fieldsIn(undefined),
};
const OPTIONAL = [
  "Stage",
  ...Object.keys(PRICES),
  "ExtraDataParameters",
  "Contract",
  "Signer",
  "AcceptedAmount",
  ...Object.keys(fieldsIn(undefined)),
];

/** The schemas of a sale. */
export const SALE_SCHEMAS: Readonly<Record<string, Json>> = {
  Sale: object("What a sale is, and how current its figures are.", { ...FACTS, ...FEED }, [...OPTIONAL, "AsOf"]),
  SaleEvent: object("The data of a `sale` event: `Sale` without the fields that `FeedState` has.", FACTS, OPTIONAL),
  OfferedToken: object(
    "The token that is sold. A field is absent where the founder has entered nothing.",
    {
      Decimals: integer("Its decimals."),
      Amount: digits("How much is for sale, in its smallest units. Always there in an auction."),
      ...fieldsIn("OfferedToken"),
    },
    ["Decimals", "Amount", ...Object.keys(fieldsIn("OfferedToken"))],
  ),
  PaymentToken: object(
    "A token that is paid with.",
    {
      TokenAddress: ADDRESS,
      Symbol: text("The symbol that its chain has. Anybody can give a token any symbol. Absent where it isn't known."),
      Decimals: integer("The token's own decimals."),
      DollarStablecoin: { type: "boolean", description: "Whether one token is worth one dollar, by the founder." },
    },
    ["Symbol"],
  ),
  SaleContract: object(
    "The contract from which commitments are read.",
    {
      Chain: text("The chain's name at this service."),
      ChainKind: choice("Ethereum and its kin, or Solana.", ...CHAIN_FAMILIES),
      Family: choice("A Continuous Clearing Auction. Absent for other contracts.", ...enumNames(ContractFamilySchema)),
      ChainID: integer("The EIP-155 chain ID. Absent on Solana, and before the contract was first read."),
      Address: SALE_ADDRESS,
      ExplorerURL: link("Its page at a block explorer. Absent where the operator has configured none."),
    },
    ["Family", "ChainID", "ExplorerURL"],
  ),
};
