import { hexOfBytes } from "../../common/platform/encoding/hex.ts";
import type { Permit, PermitRefusal, SignedPermit } from "../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import type { JsonObject } from "../web/http/json-body.ts";
import { SALE_UUID_FIELD } from "../web/http/sale-uuid.ts";
import type { UserCall } from "./call.ts";
import { uuidField, walletField } from "./call-body.ts";
import { CallError } from "./call-error.ts";
import { FAILURE_REASONS, nameOf } from "./public-names.ts";

/** `pre-purchase-check`: whether the entity could get a permit for the wallet now, and if not, the first reason. */
export async function prePurchaseCheck(call: UserCall): Promise<JsonObject> {
  const { ready, failure, livenessUrl } = await call.clients.eligibility.checkEligibility(purchaseRequest(call));
  if (ready) return { ReadyToPurchase: true, FailureReason: "", LivenessCheckURL: "" };
  return { ReadyToPurchase: false, ...failureBody({ reason: failure, livenessUrl }) };
}

/** `generate-purchase-permit`. @throws CallError `failed_precondition` with the reason where the check fails */
export async function generatePurchasePermit(call: UserCall): Promise<JsonObject> {
  const { result } = await call.clients.permits.issuePermit(purchaseRequest(call));
  if (result.case === "issued") return permitBody(result.value);
  if (result.case === "refusal") throw refusedPermit(result.value);
  throw new TypeError("IssuePermitResponse.result is missing");
}

/** `limits`: the bounds of the total of the entity that a wallet belongs to. */
export async function limits({ access, body, clients }: UserCall): Promise<JsonObject> {
  const saleUuid = uuidField(body, SALE_UUID_FIELD);
  const wallet = walletField(body, "WalletAddress");
  const { custom, minAmount, maxAmount } = await clients.eligibility.getLimits({ access, saleUuid, wallet });
  return {
    HasCustomCommitmentAmountLimit: custom,
    MinCommitmentAmount: minAmount,
    MaxCommitmentAmount: maxAmount,
  };
}

function purchaseRequest({ access, body }: UserCall) {
  return {
    access,
    saleUuid: uuidField(body, SALE_UUID_FIELD),
    entityUuid: uuidField(body, "EntityID"),
    wallet: walletField(body, "PurchasingWalletAddress"),
  };
}

function refusedPermit(refusal: Pick<PermitRefusal, "reason" | "livenessUrl">): CallError {
  const details = failureBody(refusal);
  return new CallError("failed_precondition", `There is no permit now: ${details.FailureReason}.`, { details });
}

function failureBody({ reason, livenessUrl }: Pick<PermitRefusal, "reason" | "livenessUrl">) {
  return { FailureReason: nameOf(FAILURE_REASONS, reason, "failure"), LivenessCheckURL: livenessUrl };
}

/** Returns the body of a signed permit of version 3: amounts are texts, prices in ticks and Unix times are numbers. */
function permitBody({ permit, signature }: SignedPermit): JsonObject {
  if (permit === undefined) throw new TypeError("SignedPermit.permit is missing");
  return { PermitJSON: permitFields(permit), Signature: hex(signature) };
}

function permitFields(permit: Permit): JsonObject {
  return {
    SaleSpecificEntityID: hex(permit.saleSpecificEntityId),
    SaleUUID: hex(permit.saleUuid),
    Wallet: permit.wallet,
    ExpiresAt: exactNumber(permit.expiresAt),
    MinAmount: permit.minAmount,
    MaxAmount: permit.maxAmount,
    MinPrice: exactNumber(permit.minPrice),
    MaxPrice: exactNumber(permit.maxPrice),
    OpensAt: exactNumber(permit.opensAt),
    ClosesAt: exactNumber(permit.closesAt),
    Payload: hex(permit.payload),
  };
}

/**
 * Converts an integer for JSON.
 *
 * @throws RangeError above 2^53-1, which a reader would round, so that the signature wouldn't fit
 */
function exactNumber(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError(`a permit holds ${value}, above 2^53-1`);
  return Number(value);
}

function hex(bytes: Uint8Array): string {
  return `0x${hexOfBytes(bytes)}`;
}
