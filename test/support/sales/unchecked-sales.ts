import { type SaleDefinition, sourceFamily } from "../../../common/sale/definition/sale.ts";
import type { SaleWithState } from "../../../services/commitments/base/domain/sale-with-state.ts";
import { operatorsOnly } from "../../../services/commitments/base/sale-authority.ts";
import { noSalePermits } from "../../../services/commitments/base/sale-permits.ts";
import type { SourceChecker } from "../../../services/commitments/base/source-checker.ts";
import type { CommitmentsStore } from "../../../services/commitments/changing/commitments-store.ts";
import { openSale } from "../../../services/commitments/sales/open-sale-rpc.ts";
import { type SaleUpdateRequest, updateSale } from "../../../services/commitments/sales/update-sale-rpc.ts";

const OPERATOR = { kind: "operator" } as const;

/** Finds what a definition says. @param definition needed of a sale whose contract states its terms */
function acceptingChecker(definition?: SaleDefinition): SourceChecker {
  const { pricing, offeredTokenDecimals, source } = definition ?? {};
  const contractFamily = sourceFamily(source);
  const terms = pricing?.kind === "auction" ? { terms: { ...pricing, offeredTokenDecimals } } : {};
  return {
    checkSource: async () => ({ problems: [], paymentTokens: [], ...(contractFamily && { contractFamily }), ...terms }),
    checkTokens: async () => [],
  };
}

/** Opens a draft in a store, without auth and without a check of its source. @param definition as for `acceptingChecker` */
export function openUnchecked(
  store: CommitmentsStore,
  saleUuid: string,
  definition?: SaleDefinition,
): Promise<SaleWithState> {
  const sources = acceptingChecker(definition);
  const context = { store, authority: operatorsOnly, sources, permits: noSalePermits };
  return openSale(context, OPERATOR, { saleUuid, overrideConfirmName: "" });
}

/** Replaces a definition in a store, without auth and without a check of its source. */
export function updateUnchecked(
  store: CommitmentsStore,
  update: Omit<SaleUpdateRequest, "overrideConfirmName">,
): Promise<SaleWithState> {
  const context = { store, authority: operatorsOnly, sources: acceptingChecker() };
  return updateSale(context, OPERATOR, { ...update, overrideConfirmName: "" });
}
