import { EXAMPLE_REDIRECT_URI, EXAMPLE_SALE, EXAMPLE_VERIFIER, EXCHANGE_EXAMPLE, TOKENS_EXAMPLE } from "./examples.ts";
import type { NamedExamples } from "./responses.ts";
import type { Json } from "./schema-parts.ts";

const EXAMPLE_ENTITY = "7c1e3f4a-52d0-4b8e-9a61-2f0c5d7e8b93";
const EXAMPLE_WALLET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const EXAMPLE_ENTITY_BYTES = "0x1234567890abcdef1234567890abcdef";

export const SALE_REQUEST_EXAMPLE: Json = { SaleUUID: EXAMPLE_SALE };
export const ENTITY_REQUEST_EXAMPLE: Json = { SaleUUID: EXAMPLE_SALE, EntityID: EXAMPLE_ENTITY };
export const PURCHASE_REQUEST_EXAMPLE: Json = {
  SaleUUID: EXAMPLE_SALE,
  EntityID: EXAMPLE_ENTITY,
  PurchasingWalletAddress: EXAMPLE_WALLET,
};
export const LIMITS_REQUEST_EXAMPLE: Json = { SaleUUID: EXAMPLE_SALE, WalletAddress: EXAMPLE_WALLET };

export const PROFILE_EXAMPLE: Json = { EntityID: EXAMPLE_ENTITY, EmailAddress: "alice@example.com" };

export const ENTITY_EXAMPLE: Json = {
  Label: "Alice",
  EntityID: EXAMPLE_ENTITY,
  SaleSpecificEntityID: EXAMPLE_ENTITY_BYTES,
  EntityType: "user",
  EntitySetupState: "complete",
  SaleEligibility: "eligible",
  InvestingRegion: "eu",
};

const ORGANIZATION_EXAMPLE: Json = {
  Label: "Harbour Ltd",
  EntityID: "0d9a4b52-8c3e-4f17-b6a0-5e2d1c7f9840",
  SaleSpecificEntityID: "0xabcdef1234567890abcdef1234567890",
  EntityType: "organization",
  EntitySetupState: "in-review",
  SaleEligibility: "unknown-setup-incomplete",
  InvestingRegion: "other",
};

export const ENTITIES_EXAMPLES: NamedExamples = {
  one: { summary: "A person", value: { Entities: [ENTITY_EXAMPLE] } },
  several: { summary: "A person and an organization", value: { Entities: [ENTITY_EXAMPLE, ORGANIZATION_EXAMPLE] } },
  none: { summary: "A user without an entity", value: { Entities: [] } },
};

export const CHECK_EXAMPLES: NamedExamples = {
  ready: {
    summary: "There would be a permit",
    value: { ReadyToPurchase: true, FailureReason: "", LivenessCheckURL: "" },
  },
  notReady: {
    summary: "There would be none",
    value: {
      ReadyToPurchase: false,
      FailureReason: "requires-liveness",
      LivenessCheckURL: "https://identity.example/liveness/7c1e3f4a",
    },
  },
};

export const REFUSED_PERMIT_EXAMPLE: Json = {
  code: "failed_precondition",
  message: "There is no permit now: outside-time-window.",
  details: { FailureReason: "outside-time-window", LivenessCheckURL: "" },
};

/** The published vector of version 3, signed by the first account of anvil. */
export const PERMIT_EXAMPLE: Json = {
  PermitJSON: {
    SaleSpecificEntityID: EXAMPLE_ENTITY_BYTES,
    SaleUUID: `0x${EXAMPLE_SALE.replaceAll("-", "")}`,
    Wallet: EXAMPLE_WALLET,
    ExpiresAt: 1_704_067_200,
    MinAmount: "1000000000",
    MaxAmount: "15000000000",
    MinPrice: 5,
    MaxPrice: 100,
    OpensAt: 1_704_060_000,
    ClosesAt: 1_704_153_600,
    Payload: `0x${"00".repeat(32)}`,
  },
  Signature:
    "0x3f22f762f96798a15ad4152970020567c8d9cdc32c481b4fd1abc1467a723ed24d2b10a698fd5dd09565e36a672a3d3f7881478e3588925f6c7094ea2e11cc5b1b",
};

export const LIMITS_EXAMPLE: Json = {
  HasCustomCommitmentAmountLimit: true,
  MinCommitmentAmount: "1000000000",
  MaxCommitmentAmount: "15000000000",
};

export const INVESTMENTS_EXAMPLE: Json = {
  Investments: [{ CompanyName: "Harbour Token", Round: "Token sale", InvestedOn: "2026-11-20T19:42:01Z" }],
};

export const REFUSED_TOKENS_EXAMPLE: Json = {
  code: "invalid_argument",
  message: "refresh_token is unknown or expired",
  details: { error: "invalid_grant" },
};
export const CODE_EXCHANGE_CALL_EXAMPLE: Json = {
  code: EXCHANGE_EXAMPLE["code"],
  code_verifier: EXAMPLE_VERIFIER,
  redirect_uri: EXAMPLE_REDIRECT_URI,
};
export const REFRESH_CALL_EXAMPLE: Json = { refresh_token: TOKENS_EXAMPLE["refresh_token"] };
export const CALL_TOKENS_EXAMPLE: Json = {
  access_token: TOKENS_EXAMPLE["access_token"],
  refresh_token: TOKENS_EXAMPLE["refresh_token"],
  token_type: "Bearer",
  expires_in: 900,
};
