import { expect } from "vitest";
import type { AuthGateway } from "./auth-gateway.ts";
import { SALE } from "./fake-commitments.ts";
import { ACCESS_TOKEN, ENTITY_UUID, WALLET } from "./fake-entities.ts";

export const PURCHASE = { SaleUUID: SALE, EntityID: ENTITY_UUID, PurchasingWalletAddress: WALLET };
export const AS_USER = { authorization: `Bearer ${ACCESS_TOKEN}` };
const MAX_UINT256 = `${2n ** 256n - 1n}`;

const PROFILE = { EntityID: ENTITY_UUID, EmailAddress: "alice@example.com" };
const ENTITY = {
  Label: "Alice",
  EntityID: ENTITY_UUID,
  SaleSpecificEntityID: "0x1234567890abcdef1234567890abcdef",
  EntityType: "user",
  EntitySetupState: "complete",
  SaleEligibility: "eligible",
  InvestingRegion: "eu",
};
const PERMIT = {
  PermitJSON: {
    SaleSpecificEntityID: "0x1234567890abcdef1234567890abcdef",
    SaleUUID: `0x${"11".repeat(16)}`,
    Wallet: WALLET,
    ExpiresAt: 1_704_067_200,
    MinAmount: "1000000000",
    MaxAmount: "15000000000",
    MinPrice: 5,
    MaxPrice: 100,
    OpensAt: 1_704_060_000,
    ClosesAt: Number.MAX_SAFE_INTEGER,
    Payload: `0x${"00".repeat(32)}`,
  },
  Signature: `0x${"ab".repeat(65)}`,
};

/** Every call for a user: its paths, a request, and the answer of `FakeEntities`. */
export const CALLS = [
  ["my-profile", "/externalapi.MyProfile", {}, PROFILE],
  ["list-available-entities", "/externalapi.ListAvailableEntities", { SaleUUID: SALE }, { Entities: [ENTITY] }],
  ["read-entity", "/externalapi.ReadEntity", { SaleUUID: SALE, EntityID: ENTITY_UUID }, { Entity: ENTITY }],
  [
    "pre-purchase-check",
    "/externalapi.PrePurchaseCheck",
    PURCHASE,
    { ReadyToPurchase: true, FailureReason: "", LivenessCheckURL: "" },
  ],
  ["generate-purchase-permit", "/externalapi.GenerateSalePurchasePermit", PURCHASE, PERMIT],
  [
    "limits",
    "/externalapi.Limits",
    { SaleUUID: SALE, WalletAddress: WALLET },
    { HasCustomCommitmentAmountLimit: true, MinCommitmentAmount: "1000000000", MaxCommitmentAmount: MAX_UINT256 },
  ],
  [
    "investment-history",
    "/externalapi.ReadEntityInvestmentHistory",
    {},
    { Investments: [{ CompanyName: "Harbour Token", Round: "Token sale", InvestedOn: "2026-11-20T19:42:01Z" }] },
  ],
] as const;
export const SPELLINGS = CALLS.flatMap(([segment, root, body, answer]) => [
  { path: `/svc/v1/${segment}`, body, answer },
  { path: root, body, answer },
]);
export const CHECK = "/externalapi.PrePurchaseCheck";
export const ISSUE = "/externalapi.GenerateSalePurchasePermit";
export const READ = "/externalapi.ReadEntity";

/** Sends a JSON body, or a text as it is. @param headers beside the content type */
export function sendCall(
  { origin }: Pick<AuthGateway, "origin">,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = AS_USER,
): Promise<Response> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return fetch(origin + path, {
    method: "POST",
    body: text,
    headers: { "content-type": "application/json", ...headers },
  });
}

/** Returns an error's status, headers and fields, of which there must be all. */
export async function callErrorOf(answering: Promise<Response>) {
  const answer = await answering;
  const body = await answer.json();
  expect(Object.keys(body)).toEqual(["code", "message", "details"]);
  return { status: answer.status, headers: answer.headers, ...body };
}
