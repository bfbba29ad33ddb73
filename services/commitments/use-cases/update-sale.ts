import { isDeepStrictEqual } from "node:util";
import { checkDefinitionChange } from "../domain/sale/definition-change.ts";
import type { Sale, SaleDefinition } from "../domain/sale/sale.ts";
import { checkSaleDefinition, type SaleDefinitionDraft } from "../domain/sale/sale-definition.ts";
import type { SaleState } from "../domain/sale/sale-state.ts";
import { requireNoChangeSet, requireSameStatus, requireVersion } from "../domain/sale/sale-transitions.ts";
import type { SaleWithState } from "../domain/sale/sale-with-state.ts";
import { storeDefinition } from "../store/apply/sale-writes.ts";
import { readSaleWithState } from "../store/read/read-sale.ts";
import type { CommitmentsStore } from "./commitments-store.ts";

export interface SaleUpdateRequest {
  readonly saleUuid: string;
  readonly draft: SaleDefinitionDraft;
  /** The version of the definition that the caller has read. */
  readonly expectedVersion: bigint;
}

/**
 * Replaces the definition of a sale.
 *
 * @param admit called with the definition before and after, before the sale is locked, and only if it changes; it may
 *   refuse by throwing
 * @throws ServiceError `invalid_argument`, `not_found`; `aborted` if the definition isn't at `expectedVersion` or the status
 *   is changed meanwhile; `failed_precondition` while a change set is open; and whatever `admit` throws.
 */
export async function updateSale(
  store: CommitmentsStore,
  request: SaleUpdateRequest,
  admit: (before: SaleDefinition, after: SaleDefinition) => Promise<void>,
): Promise<SaleWithState> {
  const { saleUuid, expectedVersion } = request;
  const { seen, definition } = await checkUpdate(store, request);
  if (!isDeepStrictEqual(definition, seen.sale.definition)) await admit(seen.sale.definition, definition);
  return store.changes.run(saleUuid, async ({ transaction, sale, state }) => {
    requireNoChangeSet(state);
    requireVersion(sale, expectedVersion);
    requireSameStatus(seen.state, state);
    if (isDeepStrictEqual(definition, sale.definition)) return { state, result: () => ({ sale, state }) };
    const changed: Sale = { ...sale, definition, definitionVersion: sale.definitionVersion + 1n };
    await storeDefinition(transaction, changed);
    return {
      state: state.status === "draft" ? { ...state, hasSnapshot: definition.source === undefined } : state,
      update: { definition },
      result: (next) => ({ sale: changed, state: next }),
    };
  });
}

/**
 * Checks what `updateSale` checks.
 *
 * @returns the sale now, and the definition that it would get
 */
export async function checkUpdate(
  { database }: CommitmentsStore,
  { saleUuid, draft, expectedVersion }: SaleUpdateRequest,
): Promise<{ readonly seen: SaleWithState; readonly definition: SaleDefinition }> {
  const seen = await database.snapshot((transaction) => readSaleWithState(transaction, saleUuid));
  requireVersion(seen.sale, expectedVersion);
  return { seen, definition: await nextDefinition(seen.sale, seen.state, draft) };
}

/** Checks a draft by itself, and against what is frozen once the sale is open. */
async function nextDefinition(sale: Sale, { status }: SaleState, draft: SaleDefinitionDraft): Promise<SaleDefinition> {
  const { name, paymentTokenDecimals } = sale.definition;
  const kept = { name, paymentTokenDecimals: status === "draft" ? undefined : paymentTokenDecimals };
  const definition = await checkSaleDefinition(draft, kept);
  checkDefinitionChange(sale.definition, definition, status);
  return definition;
}
