import type { ServiceImpl } from "@connectrpc/connect";
import { type Principal, principalOf } from "../../../common/platform/rpc/identity/principal.ts";
import { type Sale, type SaleDefinition, withDefinition } from "../../../common/sale/definition/sale.ts";
import type { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { requireConfirmed, requireDraft, requireVersion } from "../base/domain/sale-transitions.ts";
import type { SaleWithState } from "../base/domain/sale-with-state.ts";
import { readSaleWithState } from "../base/read-sale.ts";
import { saleMessage } from "../base/sale-message.ts";
import type { ChangingContext, CommitmentsStore } from "../changing/commitments-store.ts";
import { storeDefinition } from "../changing/sale-writes.ts";
import { checkDefinition } from "./check-definition.ts";

export function openSaleRpc(context: ChangingContext): ServiceImpl<typeof SaleService>["openSale"] {
  return async ({ saleUuid: asked, overrideConfirmName }, call) => {
    const principal = principalOf(call);
    const saleUuid = asked.toLowerCase();
    await context.authority.requireRole(principal, saleUuid, "owner");
    return { sale: saleMessage(await openSale(context, principal, { saleUuid, overrideConfirmName })) };
  };
}

export interface OpeningRequest {
  readonly saleUuid: string;
  /** The sale's name, typed by somebody who opens it whatever the check of its source finds; else empty. */
  readonly overrideConfirmName: string;
}

/**
 * Opens a draft. Its source is checked before the sale is locked, as that takes its time: the source that was checked is the
 * one that opens.
 *
 * @throws ServiceError `not_found`; `invalid_argument` for another name; `failed_precondition` unless the sale is a draft whose
 *   source passes the check; `aborted` if its definition is changed meanwhile; and the refusals of auth and entities.
 */
export async function openSale(
  { store, authority, sources, permits }: Pick<ChangingContext, "store" | "authority" | "sources" | "permits">,
  principal: Principal,
  { saleUuid, overrideConfirmName }: OpeningRequest,
): Promise<SaleWithState> {
  const { sale, state } = await store.database.snapshot((transaction) => readSaleWithState(transaction, saleUuid));
  requireDraft(state);
  const override = overrideConfirmName !== "";
  if (override) requireConfirmed(sale, "override_confirm_name", overrideConfirmName);
  const accepted = await checkDefinition(sources, { saleUuid, definition: sale.definition, override });
  await permits.admitOpening(saleUuid, sale.tenancy === "live");
  await authority.admitOpening(principal, saleUuid, accepted.overridden);
  return open(store, sale, accepted.definition);
}

function open({ changes }: CommitmentsStore, checked: Sale, definition: SaleDefinition): Promise<SaleWithState> {
  return changes.run(checked.uuid, async ({ transaction, sale, state: before }) => {
    requireDraft(before);
    requireVersion(sale, checked.definitionVersion);
    const opened = withDefinition(sale, definition);
    if (opened !== sale) await storeDefinition(transaction, opened);
    return {
      state: { ...before, status: "open" },
      update: opened === sale ? {} : { definition },
      result: (state) => ({ sale: opened, state }),
    };
  });
}
