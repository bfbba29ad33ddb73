import { withKnownSymbols } from "../../../common/sale/definition/payment-tokens.ts";
import { type Sale, type SaleDefinition, withDefinition } from "../../../common/sale/definition/sale.ts";
import { checkSaleDefinition, type SaleDefinitionDraft } from "../../../common/sale/definition/sale-definition.ts";
import { withUnknownFields } from "../../../common/sale/definition/unknown-fields.ts";
import { beforeFirstRead, isFrozen, type SaleState, withoutChangedPosition } from "../base/domain/sale-state.ts";
import {
  requireConfirmed,
  requireNoChangeSet,
  requireNotWithdrawn,
  requireSameStatus,
  requireVersion,
} from "../base/domain/sale-transitions.ts";
import type { SaleWithState } from "../base/domain/sale-with-state.ts";
import { readSaleWithState } from "../base/read-sale.ts";
import type { CommitmentsStore } from "../changing/commitments-store.ts";
import { storeDefinition } from "../changing/sale-writes.ts";
import { checkDefinitionChange, isReadAlike } from "./definition-change.ts";
import type { AcceptedDefinition } from "./open-sale.ts";
import { deleteReadRows } from "./store/delete-read-rows.ts";

export interface SaleUpdateRequest {
  readonly saleUuid: string;
  /** Returns the definition that the stored one becomes, not checked by its own rules yet. It refuses by throwing. */
  readonly draftOf: (stored: SaleDefinition) => SaleDefinitionDraft;
  /** The version of the definition that the caller has read. */
  readonly expectedVersion: bigint;
  /** The sale's name, typed by somebody who changes it whatever the check of its source finds; else empty. */
  readonly overrideConfirmName: string;
}

/** Steps before the sale is locked, and only if the definition changes. Each refuses by throwing. */
export interface UpdateSteps {
  /** Requires the role that may change what is read from the sale's source. Only for a sale that isn't a draft. */
  requireOwner(): Promise<void>;
  /** Checks the difference against the chain of the source. Only for a sale that isn't a draft. */
  check(before: Sale, definition: SaleDefinition, override: boolean): Promise<AcceptedDefinition>;
  record(before: SaleDefinition, accepted: AcceptedDefinition): Promise<void>;
}

/**
 * Changes the definition of a sale. If that changes what its source means, which it may as long as the source was never
 * read whole, reading begins anew.
 *
 * @throws ServiceError `invalid_argument`, `not_found`; `aborted` if the definition isn't at `expectedVersion` or the status
 *   is changed meanwhile; `failed_precondition` while a change set is open, and for a withdrawn sale; and whatever the steps
 *   throw.
 */
export async function updateSale(
  store: CommitmentsStore,
  request: SaleUpdateRequest,
  steps: UpdateSteps,
): Promise<SaleWithState> {
  const { saleUuid, expectedVersion } = request;
  const { seen, definition: wanted } = await checkUpdate(store, request);
  const isDraft = seen.state.status === "draft";
  const rereads = !isDraft && !isReadAlike(seen.sale.definition, wanted);
  const startsAnew = rereads && !isFrozen(seen.state);
  let accepted: AcceptedDefinition = { definition: wanted, overridden: false };
  if (withDefinition(seen.sale, wanted) !== seen.sale) {
    if (startsAnew) await steps.requireOwner();
    if (rereads) accepted = await steps.check(seen.sale, wanted, request.overrideConfirmName !== "");
    await steps.record(seen.sale.definition, accepted);
  }
  const { definition } = accepted;
  return store.changes.run(saleUuid, async ({ transaction, nodes, sale, state }) => {
    requireVersion(sale, expectedVersion);
    requireSameStatus(seen.state, state);
    if (!startsAnew) requireNoChangeSet(state);
    const changed = withDefinition(sale, definition);
    if (changed === sale) return { state, result: () => ({ sale, state }) };
    await storeDefinition(transaction, changed);
    if (startsAnew) {
      await deleteReadRows(transaction, saleUuid);
      nodes.clear();
    }
    const hasSource = definition.source !== undefined;
    const kept = hasSameFigures(sale, definition) ? state : withoutChangedPosition(state);
    const anew = startsAnew ? beforeFirstRead(state, hasSource) : kept;
    return {
      state: isDraft ? { ...anew, hasSnapshot: !hasSource } : anew,
      update: { definition },
      result: (next) => ({ sale: changed, state: next }),
    };
  });
}

/**
 * Checks what `updateSale` checks by itself.
 *
 * @returns the sale now, and the definition that it would get
 */
export async function checkUpdate(
  { database }: CommitmentsStore,
  { saleUuid, draftOf, expectedVersion, overrideConfirmName }: SaleUpdateRequest,
): Promise<{ readonly seen: SaleWithState; readonly definition: SaleDefinition }> {
  const seen = await database.snapshot((transaction) => readSaleWithState(transaction, saleUuid));
  requireNotWithdrawn(seen.state);
  requireVersion(seen.sale, expectedVersion);
  if (overrideConfirmName !== "") requireConfirmed(seen.sale, "override_confirm_name", overrideConfirmName);
  return { seen, definition: await nextDefinition(seen.sale, seen.state, draftOf(seen.sale.definition)) };
}

/** Whether a definition changes nothing but what people read about the sale. */
function hasSameFigures(sale: Sale, definition: SaleDefinition): boolean {
  const { name, presentation } = sale.definition;
  const { presentation: _, ...figures } = definition;
  return withDefinition(sale, { ...figures, name, ...(presentation && { presentation }) }) === sale;
}

/** Checks a draft by itself, and against what is frozen. */
async function nextDefinition(sale: Sale, state: SaleState, draft: SaleDefinitionDraft): Promise<SaleDefinition> {
  const { name, presentation, paymentTokenDecimals } = sale.definition;
  const kept = { name, presentation, paymentTokenDecimals: isFrozen(state) ? paymentTokenDecimals : undefined };
  const checked = await checkSaleDefinition(draft, kept);
  const paymentTokens = withKnownSymbols(checked.paymentTokens, sale.definition.paymentTokens);
  const definition = withUnknownFields({ ...checked, paymentTokens }, sale.definition);
  if (isFrozen(state)) checkDefinitionChange(sale.definition, definition, state);
  return definition;
}
