import { expect } from "vitest";
import { USER } from "../../test/support/processes/auth-in-process.ts";
import { SALE } from "./fake-commitments.ts";
import { ENTITY_UUID, type PublicCallsSite, SALE_SPECIFIC_ID, WALLET } from "./public-calls-site.ts";

export const PURCHASE = { SaleUUID: SALE, EntityID: ENTITY_UUID, PurchasingWalletAddress: WALLET };

const PROFILE = { EntityID: ENTITY_UUID, EmailAddress: USER };
const ENTITY = {
  Label: "Alice",
  EntityID: ENTITY_UUID,
  SaleSpecificEntityID: `0x${SALE_SPECIFIC_ID}`,
  EntityType: "user",
  EntitySetupState: "complete",
  SaleEligibility: "eligible",
  InvestingRegion: "eu",
};
const PERMIT = {
  PermitJSON: {
    SaleSpecificEntityID: `0x${SALE_SPECIFIC_ID}`,
    SaleUUID: `0x${SALE.replaceAll("-", "")}`,
    Wallet: WALLET,
    ExpiresAt: expect.any(Number),
    MinAmount: "1000000000",
    MaxAmount: "15000000000",
    MinPrice: 5,
    MaxPrice: 100,
    OpensAt: 1_704_060_000,
    ClosesAt: Number.MAX_SAFE_INTEGER,
    Payload: expect.stringMatching(/^0x[0-9a-f]{64}$/),
  },
  Signature: expect.stringMatching(/^0x[0-9a-f]{130}$/),
};

/** Every call for a user: its paths, a request, and the answer at a `PublicCallsSite`. */
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
    { HasCustomCommitmentAmountLimit: true, MinCommitmentAmount: "1000000000", MaxCommitmentAmount: "15000000000" },
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

/** Returns the header of a call for the user. */
export function asUser({ accessToken }: PublicCallsSite) {
  return { authorization: `Bearer ${accessToken}` };
}

/** Sends a JSON body, or a text as it is. @param headers beside the content type; those of the user by default */
export function sendCall(
  site: PublicCallsSite,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = asUser(site),
): Promise<Response> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return fetch(site.gateway.origin + path, {
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
