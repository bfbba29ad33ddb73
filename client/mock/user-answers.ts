import { documentedError, fieldOf, type MockCall } from "./call.ts";
import type { JsonObject } from "./json.ts";
import { invalidFields, MockError } from "./mock-error.ts";
import { chosen, isSettled, takesBids } from "./sale-answers.ts";

/** The lifetime of a permit. */
const PERMIT_SECONDS = 600;
const DAY_SECONDS = 86_400;

/** Returns `Profile`. */
export function profile(call: MockCall): JsonObject {
  const [first] = entities(call);
  const { EmailAddress, ...others } = call.operation.example(200) as JsonObject;
  const isGranted = call.grant?.scope.split(" ").includes("contact_email");
  const own = { ...others, EntityID: first?.["EntityID"] ?? "" };
  return isGranted ? { ...own, EmailAddress: EmailAddress ?? "" } : own;
}

/** Returns `Entities`. */
export function availableEntities(call: MockCall): JsonObject {
  return { Entities: entities(call) };
}

/** Returns `OneEntity`. @throws MockError 404 where there is none, 400 where it isn't said which of several */
export function readEntity(call: MockCall): JsonObject {
  const all = entities(call);
  const [first] = all;
  const isNamed = fieldOf(call, "EntityID") !== "" || fieldOf(call, "WalletAddress") !== "";
  if (all.length > 1 && !isNamed) {
    const message = "is required, as there are several entities";
    throw invalidFields([{ field: "EntityID", rule: "required", message }]);
  }
  if (first === undefined) throw documentedError(call, 404);
  return { Entity: fieldOf(call, "EntityID") === "" ? first : namedEntity(call) };
}

/** Returns `PurchaseCheck`. @throws MockError 404 for an entity that there isn't */
export function check(call: MockCall): JsonObject {
  const reason = failureReason(call);
  const { operation } = call;
  if (reason === "") return operation.example(200, "ready") as JsonObject;
  return refused(operation.example(200, "notReady") as JsonObject, reason);
}

/** Returns `SignedPermit`. No contract accepts its signature, which is the example's. @throws MockError 400 where the check fails */
export function permit(call: MockCall): JsonObject {
  const reason = failureReason(call);
  if (reason !== "") throw refusedPermit(call, reason);
  const example = call.operation.example(200) as JsonObject;
  const now = Math.floor(call.now() / 1_000);
  const PermitJSON = {
    ...(example["PermitJSON"] as JsonObject),
    SaleSpecificEntityID: namedEntity(call)["SaleSpecificEntityID"] ?? "",
    SaleUUID: `0x${fieldOf(call, "SaleUUID").toLowerCase().replaceAll("-", "")}`,
    Wallet: fieldOf(call, "PurchasingWalletAddress"),
    ExpiresAt: now + PERMIT_SECONDS,
    OpensAt: now - DAY_SECONDS,
    ClosesAt: now + DAY_SECONDS,
  };
  return { ...example, PermitJSON };
}

/** Returns `Limits`. @throws MockError 404 without an entity */
export function limits(call: MockCall): JsonObject {
  if (entities(call).length === 0) throw documentedError(call, 404);
  return call.operation.example(200) as JsonObject;
}

/** Returns `Investments`: none before the sale is settled. */
export function investments(call: MockCall): JsonObject {
  const isEmpty = !isSettled(call) || call.states.get("commitments") === "none" || entities(call).length === 0;
  return isEmpty ? { Investments: [] } : (call.operation.example(200) as JsonObject);
}

/** Returns the entities. The chosen states are those of the first. */
function entities(call: MockCall): readonly JsonObject[] {
  const list = call.document.named("list-available-entities");
  const count = call.states.get("entities") ?? "one";
  if (count === "none") return [];
  const { Entities } = list.example(200, count) as { readonly Entities: readonly JsonObject[] };
  return Entities.map((entity, index) => (index === 0 ? withStates(call, entity) : entity));
}

/** Returns an entity with the chosen states. Eligibility is unknown until the set-up is complete, unless it is chosen too. */
function withStates(call: MockCall, entity: JsonObject): JsonObject {
  const fields = chosen(call, ["EntityType", "EntitySetupState", "InvestingRegion"]);
  const isComplete = (fields["EntitySetupState"] ?? "complete") === "complete";
  const eligibility = isComplete ? {} : { SaleEligibility: "unknown-setup-incomplete" };
  return { ...entity, ...fields, ...eligibility, ...chosen(call, ["SaleEligibility"]) };
}

function namedEntity(call: MockCall): JsonObject {
  const id = fieldOf(call, "EntityID").toLowerCase();
  const entity = entities(call).find(({ EntityID }) => EntityID === id);
  if (entity === undefined) throw documentedError(call, 404);
  return entity;
}

/** Returns the first reason for which there would be no permit: the chosen one, or what follows from other states. */
function failureReason(call: MockCall): string {
  const { EntitySetupState, SaleEligibility } = namedEntity(call);
  const own = call.states.get("FailureReason");
  if (own !== undefined) return own;
  if (!takesBids(call)) return "sale-not-active";
  return EntitySetupState === "complete" && SaleEligibility === "eligible" ? "" : "unknown";
}

function refused(example: JsonObject, FailureReason: string): JsonObject {
  const isLiveness = FailureReason === "requires-liveness";
  return { ...example, FailureReason, LivenessCheckURL: isLiveness ? (example["LivenessCheckURL"] ?? "") : "" };
}

function refusedPermit(call: MockCall, reason: string): MockError {
  const { details, message, ...others } = call.operation.example(400, "refused") as JsonObject;
  const { FailureReason } = details as JsonObject;
  const ownMessage = String(message).replace(String(FailureReason), reason);
  const checked = refused(call.document.named("pre-purchase-check").example(200, "notReady") as JsonObject, reason);
  const { ReadyToPurchase: _, ...ownDetails } = checked;
  return new MockError(400, { ...others, message: ownMessage, details: ownDetails });
}
