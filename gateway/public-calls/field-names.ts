import type { JsonObject } from "../web/http/json-body.ts";

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
