import type { SaleWithState } from "../../../services/commitments/base/domain/sale-with-state.ts";
import type { CommitmentsStore } from "../../../services/commitments/changing/commitments-store.ts";
import { openSale } from "../../../services/commitments/sales/open-sale.ts";
import { type SaleUpdateRequest, updateSale } from "../../../services/commitments/sales/update-sale.ts";

/** Opens a draft in a store, without auth and without a check of its source. */
export function openUnchecked(store: CommitmentsStore, saleUuid: string): Promise<SaleWithState> {
  return openSale(
    store,
    { saleUuid, overrideConfirmName: "" },
    { check: async ({ definition }) => ({ definition, overridden: false }), admit: async () => {} },
  );
}

/** Replaces a definition in a store, without auth and without a check of its source. */
export function updateUnchecked(
  store: CommitmentsStore,
  update: Omit<SaleUpdateRequest, "overrideConfirmName">,
): Promise<SaleWithState> {
  return updateSale(
    store,
    { ...update, overrideConfirmName: "" },
    {
      requireOwner: async () => {},
      check: async (_, definition) => ({ definition, overridden: false }),
      record: async () => {},
    },
  );
}
