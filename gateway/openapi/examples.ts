import type { NamedExamples } from "./responses.ts";
import type { Json } from "./schema-parts.ts";

/** UUIDs of the objects that `npm start` sets up. */
export const EXAMPLE_SALE = "11111111-1111-4111-8111-111111111111";
export const EXAMPLE_CLIENT = "22222222-2222-4222-8222-222222222222";
export const EXAMPLE_REDIRECT_URI = "http://localhost:3000/oauth/callback";
/** Example of RFC 7636, appendix B. */
export const EXAMPLE_VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
export const EXAMPLE_CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

export const EXAMPLE_WALLET = "0x0000000000000000000000000000000000000137";

const COMMITMENT = {
  CommitmentID: "0xde30000000000000000000000000013700000000000000000000000000000000",
  SaleSpecificEntityID: "0xde300000000000000000000000000137",
  PriceNumerator: "629",
  PriceDenominator: "1000000000000000",
  PriceMicroUSD: "629000",
  Amounts: [
    {
      Wallet: EXAMPLE_WALLET,
      TokenAddress: "0x1000000000000000000000000000000000000001",
      Amount: "1390970000",
    },
  ],
  CreatedAt: "2026-11-20T19:42:01Z",
  ExtraDataRaw: "0x",
  ExtraDataParsed: {},
};

const CLEARING_PRICE = {
  ClearingPriceNumerator: "235",
  ClearingPriceDenominator: "1000000000000000",
  ClearingPriceMicroUSD: "235000",
};

export const AUCTION_EXAMPLE: Json = {
  Commitments: [COMMITMENT],
  TotalCommitmentAmount: "1390970000",
  UniqueCommitmentCount: 1,
  PaymentTokenDecimals: 6,
  OfferedTokenDecimals: 18,
  ...CLEARING_PRICE,
};

const { PriceMicroUSD: _, ...UNPRICED } = COMMITMENT;
export const FIXED_PRICE_EXAMPLE: Json = {
  Commitments: [{ ...UNPRICED, PriceNumerator: "25", PriceDenominator: "10000" }],
  TotalCommitmentAmount: "1390970000",
  UniqueCommitmentCount: 1,
  PaymentTokenDecimals: 18,
};

export const HISTORY_EXAMPLE: Json = {
  Points: [
    {
      From: "2026-11-20T19:00:00Z",
      Seconds: 3600,
      TotalCommitmentAmount: "304000000000",
      UniqueCommitmentCount: 305,
      ...CLEARING_PRICE,
    },
  ],
  PaymentTokenDecimals: 6,
};

export const DEMAND_EXAMPLE: Json = {
  Levels: [
    {
      LowestPriceNumerator: "500",
      LowestPriceDenominator: "1000000000000000",
      HighestPriceNumerator: "500",
      HighestPriceDenominator: "1000000000000000",
      Amount: "1000000000",
      CumulativeAmount: "1000000000",
      CommitmentCount: 1,
    },
  ],
  PaymentTokenDecimals: 6,
  ...CLEARING_PRICE,
};

export const DIFFERENCE_EXAMPLE: Json = {
  AppliesTo: "9f2c41d07be03a55-304",
  Removed: [],
  Upserted: [{ Index: 0, Commitment: COMMITMENT }],
  Totals: { TotalCommitmentAmount: "1390970000", UniqueCommitmentCount: 1, PaymentTokenDecimals: 6, ...CLEARING_PRICE },
};

export const FEED_STATE_EXAMPLE = {
  AsOf: {
    Block: "19000000",
    BlockHash: "0x4f7a1c0e6ad3b1a2b4c8f0d9e7a6b5c4d3e2f1a0b9c8d7e6f5a4b3c2d1e0f9a8",
    BlockTime: 1_700_000_000,
    LastSuccess: 1_700_000_003,
  },
  BehindSeconds: 3,
  Fault: "",
  Settled: false,
  PaymentSymbol: "USDC",
};

const SALE_FACTS_EXAMPLE: Json = {
  SaleUUID: EXAMPLE_SALE,
  Name: "Tidemark demo auction",
  Tenancy: "test",
  Status: "open",
  Stage: "commitment",
  Pricing: "auction",
  FloorNumerator: "100",
  FloorDenominator: "1000000000000000",
  IncrementNumerator: "5",
  IncrementDenominator: "1000000000000000",
  PriceTickNumerator: "1",
  PriceTickDenominator: "1000000000000000",
  OfferedToken: {
    Symbol: "DEMO",
    Decimals: 18,
    Amount: "1000000000000000000000000",
    TotalSupply: "10000000000000000000000000",
  },
  PaymentTokens: [
    {
      TokenAddress: "0x1000000000000000000000000000000000000001",
      Symbol: "USDC",
      Decimals: 6,
      DollarStablecoin: true,
    },
  ],
  PaymentTokenDecimals: 6,
  Contract: {
    Chain: "ethereum",
    ChainKind: "evm",
    ChainID: 1,
    Address: "0x2000000000000000000000000000000000000002",
    ExplorerURL: "https://explorer.example/address/0x2000000000000000000000000000000000000002",
  },
  Signer: "0x3000000000000000000000000000000000000003",
  OpensAt: "2026-11-20T12:00:00Z",
  ClosesAt: "2026-12-04T12:00:00Z",
  CancelUntil: "2026-12-07T12:00:00Z",
  SettlesAt: "2026-12-09T12:00:00Z",
  ClaimsAt: "2026-12-14T12:00:00Z",
  ClaimTerms: "Claim with the wallet that has bid.",
  Description: "A token that shows how a sale looks.",
  Website: "https://founder.example/",
  Contact: "help@founder.example",
  LogoURL: "https://sale.example/logos/4f7a1c0e6ad3b1a2b4c8f0d9e7a6b5c4d3e2f1a0b9c8d7e6f5a4b3c2d1e0f9a8",
};

const { AsOf, BehindSeconds, Fault } = FEED_STATE_EXAMPLE;
const { FloorNumerator: _floor, FloorDenominator: _ofFloor, ...WITHOUT_FLOOR } = SALE_FACTS_EXAMPLE;
const { IncrementNumerator: _increment, IncrementDenominator: _ofIncrement, ...FIXED_PRICE } = WITHOUT_FLOOR;
export const SALE_EXAMPLES: NamedExamples = {
  auction: { summary: "An auction", value: { ...SALE_FACTS_EXAMPLE, Fault, AsOf, BehindSeconds } },
  fixedPrice: {
    summary: "A sale at a fixed price",
    value: {
      ...FIXED_PRICE,
      Name: "Tidemark demo sale",
      Pricing: "fixed",
      PriceNumerator: "25",
      PriceDenominator: "10000",
      PriceTickDenominator: "10000",
      OfferedToken: { Symbol: "DEMO", Decimals: 18 },
      PaymentTokenDecimals: 18,
      Fault,
      AsOf,
      BehindSeconds,
    },
  },
  standingStill: {
    summary: "A sale whose contract can't be read",
    value: {
      ...SALE_FACTS_EXAMPLE,
      Fault: "The sale's contract can't be read at the moment.",
      AsOf,
      BehindSeconds: 120,
    },
  },
};

const POSITION: Json = {
  Wallet: EXAMPLE_WALLET,
  PaymentTokenDecimals: 6,
  Status: "open",
  Stage: "commitment",
  ...CLEARING_PRICE,
};
export const POSITION_EXAMPLES: NamedExamples = {
  counted: {
    summary: "A commitment that counts",
    value: { ...POSITION, Commitments: [{ ...COMMITMENT, Counted: true, ClearingOutcome: "in" }] },
  },
  notCounted: {
    summary: "One that was refunded",
    value: { ...POSITION, Commitments: [{ ...COMMITMENT, Counted: false, NotCountedReason: "refunded" }] },
  },
  none: { summary: "A wallet without commitments", value: { ...POSITION, Commitments: [] } },
  settled: {
    summary: "A commitment of a settled sale",
    value: {
      ...POSITION,
      Commitments: [{ ...COMMITMENT, Counted: true, ClearingOutcome: "in" }],
      Allocations: [
        {
          SaleSpecificEntityID: COMMITMENT.SaleSpecificEntityID,
          TokenAddress: COMMITMENT.Amounts[0]?.TokenAddress,
          AcceptedAmount: "1090970000",
          RefundedAmount: "300000000",
        },
      ],
    },
  },
};

/** A stream's first events. */
export const STREAM_EXAMPLE = [
  "retry: 2000\n\n",
  `event: state\ndata: ${JSON.stringify(FEED_STATE_EXAMPLE)}\n\n`,
  `event: sale\ndata: ${JSON.stringify(SALE_FACTS_EXAMPLE)}\n\n`,
  `event: body\nid: 9f2c41d07be03a55-304\ndata: ${JSON.stringify(AUCTION_EXAMPLE)}\n\n`,
  `event: difference\nid: 9f2c41d07be03a55-305\ndata: ${JSON.stringify(DIFFERENCE_EXAMPLE)}\n\n`,
].join("");

export const TOKENS_EXAMPLE: Json = {
  access_token: "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJxdUYifQ.c2lnbmF0dXJl",
  token_type: "Bearer",
  expires_in: 900,
  refresh_token: "8AtrOUR_UzXX3eFxGjjjYah_oTDXRMHJYIOwgHD6LLY",
  scope: "read_entities sale_eligibility_check contact_email",
};

export const PUSHED_REQUEST_EXAMPLE: Json = {
  response_type: "code",
  client_id: EXAMPLE_CLIENT,
  redirect_uri: EXAMPLE_REDIRECT_URI,
  code_challenge: EXAMPLE_CHALLENGE,
  code_challenge_method: "S256",
  state: "af0ifjsldkj",
};

export const PUSHED_REQUEST_URI_EXAMPLE: Json = {
  request_uri: "urn:ietf:params:oauth:request_uri:2Fy1F1sVq9Wc0h8kYpGxjQ7ZcUuXb3mTn5oRrLdEeAk",
  expires_in: 60,
};

export const EXCHANGE_EXAMPLE: Json = {
  grant_type: "authorization_code",
  code: "Jh6FqzJbSJmgk6WDwLOm_gCNbFhZL-YTw7AbJWkT6g1",
  redirect_uri: EXAMPLE_REDIRECT_URI,
  client_id: EXAMPLE_CLIENT,
  code_verifier: EXAMPLE_VERIFIER,
};

export const REFRESH_EXAMPLE: Json = {
  grant_type: "refresh_token",
  refresh_token: "8AtrOUR_UzXX3eFxGjjjYah_oTDXRMHJYIOwgHD6LLY",
  client_id: EXAMPLE_CLIENT,
};

export const REVOCATION_EXAMPLE: Json = {
  token: "8AtrOUR_UzXX3eFxGjjjYah_oTDXRMHJYIOwgHD6LLY",
  client_id: EXAMPLE_CLIENT,
};

export const INTROSPECTION_EXAMPLE: Json = {
  token: "8AtrOUR_UzXX3eFxGjjjYah_oTDXRMHJYIOwgHD6LLY",
  client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
  client_assertion: "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIyMjIyMjIyMi0yMjIyLTQyMjItODIyMi0yMjIyMjIyMjIyMjIifQ.c2lnbmF0dXJl",
};

export const ACTIVE_TOKEN_EXAMPLE: Json = {
  active: true,
  iss: "https://auth.example",
  sub: "quF-JuS6MpHbITnySCZVMpATmprWWhiq1ASRI8BZ73Q",
  client_id: EXAMPLE_CLIENT,
  scope: "read_entities sale_eligibility_check contact_email",
  iat: 1795216330,
  exp: 1795217230,
  token_type: "Bearer",
  aud: "https://auth.example",
  jti: "Jh6FqzJbSJmgk6WDwLOm_g.CNbFhZL-YTw7AbJWkT6g1g",
};

export const USER_INFO_EXAMPLE: Json = {
  sub: "quF-JuS6MpHbITnySCZVMpATmprWWhiq1ASRI8BZ73Q",
  email: "alice@example.com",
  email_verified: true,
};

/** Example of RFC 7515, appendix A.3. */
export const JWKS_EXAMPLE: Json = {
  keys: [
    {
      kty: "EC",
      crv: "P-256",
      x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
      y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
      kid: "LC-Bkgkm-sV92bayvpyD3qe4L7EGK-YEGKmgGEy3ISc",
      alg: "ES256",
      use: "sig",
    },
  ],
};
