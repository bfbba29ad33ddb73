import { FailureReason } from "../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import type { JsonObject } from "../web/http/json-body.ts";

/** The public names of the reasons for which there is no permit, in the order in which they are checked. */
export const FAILURE_REASONS: ReadonlyMap<FailureReason, string> = new Map([
  [FailureReason.SALE_NOT_ACTIVE, "sale-not-active"],
  [FailureReason.UNKNOWN, "unknown"],
  [FailureReason.OUTSIDE_TIME_WINDOW, "outside-time-window"],
  [FailureReason.WALLET_NOT_LINKED, "wallet-not-linked"],
  [FailureReason.MAX_WALLETS_USED, "max-wallets-used"],
  [FailureReason.WALLET_RISK, "wallet-risk"],
  [FailureReason.REQUIRES_LIVENESS, "requires-liveness"],
]);

/**
 * Returns the public name of an enumeration's value.
 *
 * @param field the field of the message, for the error
 * @throws TypeError for a value without one, which a right answer doesn't hold
 */
export function nameOf<Value extends number>(names: ReadonlyMap<Value, string>, value: Value, field: string): string {
  const name = names.get(value);
  if (name === undefined) throw new TypeError(`${field} has the value ${value}, which has no public name`);
  return name;
}

/** The fields of public requests by those of RPCs; where there are several, the request has one of them. */
const PUBLIC_NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ["sale_uuid", ["SaleUUID"]],
  ["entity_uuid", ["EntityID"]],
  ["wallet", ["PurchasingWalletAddress", "WalletAddress"]],
]);

/**
 * Returns the name that a field of an RPC has in the public request for which it was called.
 *
 * @param sent the public request's body
 */
export function publicFieldName(field: string, sent: JsonObject): string {
  const names = PUBLIC_NAMES.get(field) ?? [];
  return names.find((name) => Object.hasOwn(sent, name)) ?? names.at(-1) ?? field;
}
