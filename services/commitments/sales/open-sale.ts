import { type Sale, type SaleDefinition, withDefinition } from "../../../common/sale/definition/sale.ts";
import { requireConfirmed, requireDraft, requireVersion } from "../base/domain/sale-transitions.ts";
import type { SaleWithState } from "../base/domain/sale-with-state.ts";
import { readSaleWithState } from "../base/read-sale.ts";
import type { CommitmentsStore } from "../changing/commitments-store.ts";
import { storeDefinition } from "../changing/sale-writes.ts";

export interface OpeningRequest {
  readonly saleUuid: string;
  /** The sale's name, typed by somebody who opens it whatever the check of its source finds; else empty. */
  readonly overrideConfirmName: string;
}

/** A definition that was checked against the chain of its source. */
export interface AcceptedDefinition {
  /** The definition, with the symbols of its payment tokens. */
  readonly definition: SaleDefinition;
  /** Whether it is accepted although it doesn't pass. */
  readonly overridden: boolean;
}

/** Steps before the sale is locked, so that they may take their time. Each refuses by throwing. */
export interface OpeningSteps {
  check(sale: Sale, override: boolean): Promise<AcceptedDefinition>;
  admit(sale: Sale, overridden: boolean): Promise<void>;
}

/**
 * Opens a draft. The source that was checked is the one that opens.
 *
 * @throws ServiceError `not_found`; `invalid_argument` for another name; `failed_precondition` unless the sale is a draft;
 *   `aborted` if its definition is changed meanwhile; and whatever the steps throw.
 */
export async function openSale(
  { database, changes }: CommitmentsStore,
  { saleUuid, overrideConfirmName }: OpeningRequest,
  { check, admit }: OpeningSteps,
): Promise<SaleWithState> {
  const seen = await database.snapshot((transaction) => readSaleWithState(transaction, saleUuid));
  requireDraft(seen.state);
  const override = overrideConfirmName !== "";
  if (override) requireConfirmed(seen.sale, "override_confirm_name", overrideConfirmName);
  const { definition, overridden } = await check(seen.sale, override);
  await admit(seen.sale, overridden);
  return changes.run(saleUuid, async ({ transaction, sale, state: before }) => {
    requireDraft(before);
    requireVersion(sale, seen.sale.definitionVersion);
    const opened = withDefinition(sale, definition);
    if (opened !== sale) await storeDefinition(transaction, opened);
    return {
      state: { ...before, status: "open" },
      update: opened === sale ? {} : { definition },
      result: (state) => ({ sale: opened, state }),
    };
  });
}
