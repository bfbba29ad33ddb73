import { ELIGIBILITIES, ENTITY_TYPES, REGIONS, SETUP_STATES } from "../public-calls/entity-body.ts";
import { FAILURE_REASONS } from "../public-calls/public-names.ts";
import { BIDDER, mostAmount, PERMIT_SIGNATURE, PERMIT_WALLET } from "./chain-schemas.ts";
import { digits, hex, type Json, listOf, object, ref, text, time, uuid } from "./schema-parts.ts";

const MAX_SAFE = Number.MAX_SAFE_INTEGER;

const SALE_UUID = uuid("The sale, in upper or lower case: the one that the access token is for.");
const ENTITY_ID = uuid("An `EntityID` of `list-available-entities`.");

const wallet = (description: string): Json => ({ type: "string", pattern: "^[0-9A-Za-z]{1,64}$", description });
const number = (description: string): Json => ({ type: "integer", minimum: 0, maximum: MAX_SAFE, description });
const oneOf = (names: ReadonlyMap<number, string>, description: string): Json => ({
  type: "string",
  enum: [...names.values()],
  description,
});

/** Requests and answers of the calls for a user. */
export const PUBLIC_CALL_SCHEMAS: Readonly<Record<string, Json>> = {
  NoFields: { type: "object", description: "`{}`. Unknown fields are ignored." },
  Profile: object(
    "The user.",
    {
      EntityID: text("The user's earliest entity that the application sees; empty where there is none."),
      EmailAddress: text("While the user grants the scope `contact_email`."),
    },
    ["EmailAddress"],
  ),
  SaleRequest: object("Which sale. Unknown fields are ignored.", { SaleUUID: SALE_UUID }),
  Entities: object("The user's entities that the application sees.", {
    Entities: listOf("EntityDetails", "The earliest first; empty where the user has none, or shows none."),
  }),
  EntityRequest: object(
    "Which entity: by ID, by wallet, or the only one. Unknown fields are ignored.",
    {
      SaleUUID: SALE_UUID,
      EntityID: ENTITY_ID,
      WalletAddress: wallet("A wallet that is linked to the entity, or bound to it in this sale by a permit."),
    },
    ["EntityID", "WalletAddress"],
  ),
  OneEntity: object("An entity.", { Entity: ref("EntityDetails") }),
  EntityDetails: object("A person or an organization that may take part, as the applications of this sale see it.", {
    Label: text("The name that the user chose."),
    EntityID: uuid("Its ID for calls of this sale's applications; another one in every other sale."),
    SaleSpecificEntityID: hex(16, "Its ID in the sale's contract; another one in every other sale."),
    EntityType: oneOf(ENTITY_TYPES, "`user` is the account's own person."),
    EntitySetupState: oneOf(SETUP_STATES, "How far the identity check is."),
    SaleEligibility: oneOf(ELIGIBILITIES, "Whether it may take part, by identity check and the sale's rules."),
    InvestingRegion: oneOf(REGIONS, "The region of its country."),
  }),
  PurchaseRequest: object("Who wants to bid, and with which wallet. Unknown fields are ignored.", {
    SaleUUID: SALE_UUID,
    EntityID: ENTITY_ID,
    PurchasingWalletAddress: BIDDER,
  }),
  PurchaseCheck: object("Whether there would be a permit now.", {
    ReadyToPurchase: { type: "boolean", description: "Whether `generate-purchase-permit` would succeed." },
    FailureReason: {
      type: "string",
      enum: ["", ...FAILURE_REASONS.values()],
      description: "The first reason; empty if ready.",
    },
    LivenessCheckURL: text(
      "Where the user proves to be present, with `requires-liveness`; else empty. Treat it as untrusted: https only.",
    ),
  }),
  SignedPermit: object(
    "A purchase permit of version 3, for the sale's contract. It is valid for ten minutes, any number of times.",
    {
      PermitJSON: ref("Permit"),
      Signature: PERMIT_SIGNATURE,
    },
  ),
  Permit: object("The permit's fields, in the order in which they are encoded.", {
    SaleSpecificEntityID: hex(16, "Who bids."),
    SaleUUID: hex(16, "The sale's UUID as bytes."),
    Wallet: PERMIT_WALLET,
    ExpiresAt: number("When the permit ends, in seconds since 1970."),
    MinAmount: digits("The least total of the entity, in smallest units of the payment token."),
    MaxAmount: mostAmount("The largest total."),
    MinPrice: number("The least price, in price ticks."),
    MaxPrice: number("The largest price, in price ticks."),
    OpensAt: number("When bids are allowed, in seconds since 1970, inclusive."),
    ClosesAt: number("When they end, exclusive."),
    Payload: {
      type: "string",
      pattern: "^0x([0-9a-f]{2})*$",
      description: "Further terms, as the contract reads them; `0x` for none.",
    },
  }),
  LimitsRequest: object("Whose limits. Unknown fields are ignored.", {
    SaleUUID: SALE_UUID,
    WalletAddress: wallet("A wallet that is linked to the entity, or bound to it in this sale by a permit."),
  }),
  Limits: object("The bounds of the total of a wallet's entity.", {
    HasCustomCommitmentAmountLimit: {
      type: "boolean",
      description: "Whether they come from a list of the sale's, and not from its default.",
    },
    MinCommitmentAmount: digits("In smallest units of the payment token."),
    MaxCommitmentAmount: mostAmount("The same."),
  }),
  Investments: object("What the user has committed to the token's sale.", {
    Investments: listOf("Investment", "Empty until the sale is settled."),
  }),
  Investment: object("A commitment to a settled sale.", {
    CompanyName: text("The sale's name."),
    Round: text("Always `Token sale`."),
    InvestedOn: time("When the commitment was made: UTC, whole seconds."),
  }),
};

/** Requests and answers of the two token operations for existing clients. */
export const TOKEN_CALL_SCHEMAS: Readonly<Record<string, Json>> = {
  CodeExchangeCall: object("The exchange of a code. Unknown fields are ignored.", {
    code: { type: "string", minLength: 1, description: "From the redirect; good once, for 60 seconds." },
    code_verifier: { type: "string", minLength: 43, maxLength: 128, description: "What the challenge was made of." },
    redirect_uri: { type: "string", minLength: 1, description: "The same as in the authorization request." },
  }),
  RefreshCall: object("A refresh. Unknown fields are ignored.", {
    refresh_token: { type: "string", minLength: 1, description: "The last one that was answered." },
  }),
  CallTokens: object("Tokens of a user.", {
    access_token: text("For the calls for the user. A JWT with `exp`."),
    refresh_token: text("Good once, for the next tokens."),
    token_type: { const: "Bearer" },
    expires_in: { type: "integer", minimum: 1, description: "Seconds that the access token is good for." },
  }),
};
