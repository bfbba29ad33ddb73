import type { Commitment, Digits, FeedState } from "./commitment-data.ts";

/** The contract's stage. */
export type SaleStage = "pre_open" | "commitment" | "closed" | "cancellation" | "settlement" | "done";

/** A token that is paid with. */
export interface PaymentToken {
  readonly TokenAddress: string;
  /** The symbol that its chain has; anybody can give a token any symbol. */
  readonly Symbol?: string;
  /** The token's own decimals. */
  readonly Decimals: number;
  /** Whether one token is worth one dollar, by the founder. */
  readonly DollarStablecoin: boolean;
}

/** The token that is sold, as far as the founder has entered it. */
export interface OfferedToken {
  readonly Symbol?: string;
  readonly Decimals?: number;
  /** How much is for sale, in its smallest units; always there in an auction. */
  readonly Amount?: Digits;
  /** How much there is or will be, in its smallest units. */
  readonly TotalSupply?: Digits;
}

/** The contract from which commitments are read. */
export interface SaleContract {
  /** The chain's name at this service. */
  readonly Chain: string;
  readonly ChainKind: "evm" | "svm";
  /** `cca` for a Continuous Clearing Auction; absent for other contracts. */
  readonly Family?: "cca";
  /** The EIP-155 chain ID; absent on Solana. */
  readonly ChainID?: number;
  readonly Address: string;
  /** Its page at a block explorer. */
  readonly ExplorerURL?: string;
}

/** The facts about a sale: data of the stream's `sale` events. */
export interface SaleFacts {
  readonly SaleUUID: string;
  readonly Name: string;
  /** Whether it moves real money. */
  readonly Tenancy: "test" | "live";
  readonly Status: "open" | "settled";
  /** Absent where it isn't known, and for a sale without a contract. */
  readonly Stage?: SaleStage;
  readonly Pricing: "fixed" | "auction";
  /** The price, a fraction like a commitment's; only at a fixed price. */
  readonly PriceNumerator?: Digits;
  readonly PriceDenominator?: Digits;
  /** The lowest price at which an auction clears. */
  readonly FloorNumerator?: Digits;
  readonly FloorDenominator?: Digits;
  /** The distance between two prices at which an auction can clear. */
  readonly IncrementNumerator?: Digits;
  readonly IncrementDenominator?: Digits;
  /** The value of one price tick of the contract. */
  readonly PriceTickNumerator?: Digits;
  readonly PriceTickDenominator?: Digits;
  /** Whether a price can be up to 2^160-1 price ticks; absent where it can be up to 2^64-1. */
  readonly WidePrices?: true;
  /**
   * The rule of an auction that clears at the lowest price at which the demand above it costs no more than the offer; absent for any
   * other auction, which clears at the highest price at which the bids at it or above buy the whole offer.
   */
  readonly ClearingRule?: "lowest_not_outbid";
  readonly OfferedToken: OfferedToken;
  readonly PaymentTokens: readonly PaymentToken[];
  /** Decimals of amounts of this sale, whatever the tokens' own are. */
  readonly PaymentTokenDecimals: number;
  /** The parameters by which extra data is parsed, such as `uint64 tier, bool member`. */
  readonly ExtraDataParameters?: string;
  /** Absent for a sale without a contract. */
  readonly Contract?: SaleContract;
  /** The signer of purchase permits for the contract now: an address, or on Solana a public key. */
  readonly Signer?: string;
  /** The amount that a settled sale accepts of all commitments together, in `PaymentTokenDecimals`; absent while that isn't known. */
  readonly AcceptedAmount?: Digits;
  /** When the founder means to open and to close it, such as `2026-01-31T12:00:00Z`. They decide nothing. */
  readonly OpensAt?: string;
  readonly ClosesAt?: string;
  /** Other times that the founder announces, in the same form: each is left out until it is known. */
  readonly AnnouncedAt?: string;
  readonly CancelUntil?: string;
  readonly SettlesAt?: string;
  readonly ClaimsAt?: string;
  readonly RefundedBy?: string;
  readonly VestedBy?: string;
  /** How tokens are claimed, money is paid back and tokens vest: plain text of the founder. */
  readonly ClaimTerms?: string;
  readonly RefundTerms?: string;
  readonly VestingTerms?: string;
  /** Whether the start page lists it; absent where it doesn't. */
  readonly Listed?: boolean;
  /** Plain text of the founder. */
  readonly Description?: string;
  /** The founder's own site. */
  readonly Website?: string;
  /** How people reach those who run it: an e-mail address, or an `https:` URL. */
  readonly Contact?: string;
  /** The founder's logo, a square image: a URL, or a path on the public host. Another image has another one. */
  readonly LogoURL?: string;
}

/** A sale, and how current its figures are. */
export interface Sale extends SaleFacts, Pick<FeedState, "BehindSeconds" | "Fault"> {
  /** Absent for a sale without a contract, and before its first report. */
  readonly AsOf?: NonNullable<FeedState["AsOf"]>;
}

/** The wallet whose commitments to read. */
export interface PositionRequest {
  readonly SaleUUID: string;
  readonly Wallet: string;
  /** `NextPageToken` of the page before. */
  readonly PageToken?: string;
}

/** A commitment that names the wallet. */
export interface PositionCommitment extends Commitment {
  /** Whether it counts in the sale's figures. */
  readonly Counted: boolean;
  /** Why it doesn't; absent where it does. */
  readonly NotCountedReason?: "refunded" | "no_amount";
  /** The meaning of the present clearing price for it; absent where it doesn't count, and at a fixed price. */
  readonly ClearingOutcome?: "in" | "at_margin" | "out" | "below_floor";
  /** How it leaves an auction that bids leave by a call. Absent elsewhere, and as long as it isn't known. */
  readonly Exit?: BidExit;
}

/** Result of a bid, and the call by which it leaves. Whether it has left already isn't said. */
export interface BidExit {
  /**
   * `awaits_checkpoint`: somebody has to call `checkpoint()` before it can leave. `awaits_graduation`: it can leave once enough is raised,
   * or at the end. `locked`: every call to leave reverts, for good.
   */
  readonly Standing:
    | "may_get_more"
    | "awaits_checkpoint"
    | "awaits_graduation"
    | "outbid"
    | "at_final_price"
    | "above_final_price"
    | "not_graduated"
    | "locked";
  /** The amount that it spends, rounded up. Absent while that can change, and if it is locked; as the next two. */
  readonly SpentAmount?: Digits;
  readonly RefundAmount?: Digits;
  /** In smallest units of the offered token. */
  readonly Tokens?: Digits;
  /** The function by which it leaves now; absent if there is none. */
  readonly Function?: "exitBid" | "exitPartiallyFilledBid";
  readonly Arguments?: readonly Digits[];
}

/** The commitments of a wallet, at one moment. */
export interface Position {
  /** The wallet as amounts name it: an EVM address in lower case. */
  readonly Wallet: string;
  /** At most 100, by `CommitmentID` ascending; empty for a wallet that has none. */
  readonly Commitments: readonly PositionCommitment[];
  /** Where the wallet has more commitments. */
  readonly NextPageToken?: string;
  readonly PaymentTokenDecimals: number;
  /** The auction's clearing price, a fraction like a commitment's. */
  readonly ClearingPriceNumerator?: Digits;
  readonly ClearingPriceDenominator?: Digits;
  readonly ClearingPriceMicroUSD?: Digits;
  /** The sale at the same moment, as in `SaleFacts`. */
  readonly Status?: SaleFacts["Status"];
  readonly Stage?: SaleStage;
  /** Nothing clears yet, and the clearing price is the floor: less is bid there or above than pays for the offer. */
  readonly Undersubscribed?: boolean;
  /**
   * The accepted amounts of the wallet, for the entities of these commitments. Absent before the settlement, and where the sale's
   * contract doesn't say it.
   */
  readonly Allocations?: readonly PositionAllocation[];
  /** The block up to which `Exit` was worked out. */
  readonly ExitsAsOfBlock?: Digits;
  /** The accepted amounts of all entities don't add up to the contract's own total: don't rely on them. */
  readonly AllocationsDiffer?: boolean;
}

/** The part of a wallet's amount that a settled sale accepts, for one entity and payment token. */
export interface PositionAllocation {
  readonly SaleSpecificEntityID: string;
  readonly TokenAddress: string;
  readonly AcceptedAmount: Digits;
  /** The amount that was paid back. Absent where the sale has no contract, or one that doesn't mark what it has paid back. */
  readonly RefundedAmount?: Digits;
}
