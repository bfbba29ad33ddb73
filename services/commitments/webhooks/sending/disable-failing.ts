import type { SaleAuthority } from "../../base/sale-authority.ts";
import type { CommitmentsDatabase } from "../../base/schema.ts";
import type { DueDelivery } from "../due-deliveries-store.ts";
import { disableEndpoint } from "../endpoint-rows.ts";
import { type Disabling, originOf } from "../webhook-endpoint.ts";

const REASONS: Readonly<Record<Exclude<Disabling, "member">, string>> = {
  failures: "disabled: every attempt has failed for too long",
  gone: "disabled: it answered 410 Gone",
};

/**
 * Disables an endpoint. The sale's log records it first: if that fails, nothing is disabled, and the next failure tries again.
 *
 * @throws what the auth service refuses, or the database throws
 */
export async function disableFailing(
  { database, authority }: { readonly database: CommitmentsDatabase; readonly authority: SaleAuthority },
  { saleUuid, endpointUuid, url }: DueDelivery,
  why: Exclude<Disabling, "member">,
  atMillis: bigint,
): Promise<void> {
  const change = { field: `Webhook ${originOf(url)}`, before: "enabled", after: REASONS[why] };
  await authority.recordChange({ kind: "operator" }, saleUuid, "webhooks", [change]);
  await database.write((transaction) => disableEndpoint(transaction, endpointUuid, { atMillis, why }));
}
