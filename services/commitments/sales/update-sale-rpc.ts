import type { ServiceImpl } from "@connectrpc/connect";
import { type Principal, principalOf } from "../../../common/platform/rpc/identity/principal.ts";
import { definitionMessage } from "../../../common/sale/definition/definition-message.ts";
import { withKnownSymbols } from "../../../common/sale/definition/payment-tokens.ts";
import { type Sale, type SaleDefinition, withDefinition } from "../../../common/sale/definition/sale.ts";
import { checkSaleDefinition, type SaleDefinitionDraft } from "../../../common/sale/definition/sale-definition.ts";
import { tickWidth } from "../../../common/sale/definition/tick-width.ts";
import { withUnknownFields } from "../../../common/sale/definition/unknown-fields.ts";
import { definitionChanges } from "../../../common/sale/words/definition-changes.ts";
import type { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
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
import { saleMessage } from "../base/sale-message.ts";
import type { ChangingContext, CommitmentsStore } from "../changing/commitments-store.ts";
import { storeDefinition } from "../changing/sale-writes.ts";
import { type AcceptedDefinition, checkDefinition } from "./check-definition.ts";
import { checkDefinitionChange, isReadAlike, isStatedAlike } from "./definition-change.ts";
import { updatedDefinition } from "./definition-request.ts";
import { deleteReadRows } from "./deleted-rows-store.ts";

export function updateSaleRpc(context: ChangingContext): ServiceImpl<typeof SaleService>["updateSale"] {
  return async (request, call) => {
    const saleUuid = request.saleUuid.toLowerCase();
    const principal = principalOf(call);
    await context.authority.requireRole(principal, saleUuid, "editor");
    const { expectedDefinitionVersion: expectedVersion, overrideConfirmName } = request;
    const draftOf = (stored: SaleDefinition) => updatedDefinition(stored, request);
    const update = { saleUuid, draftOf, expectedVersion, overrideConfirmName };
    return { sale: saleMessage(await updateSale(context, principal, update)) };
  };
}

export interface SaleUpdateRequest {
  readonly saleUuid: string;
  /** Returns the definition that the stored one becomes, not checked by its own rules yet. It refuses by throwing. */
  readonly draftOf: (stored: SaleDefinition) => SaleDefinitionDraft;
  /** The version of the definition that the caller has read. */
  readonly expectedVersion: bigint;
  /** The sale's name, typed by somebody who changes it whatever the check of its source finds; else empty. */
  readonly overrideConfirmName: string;
}

type UpdateContext = Pick<ChangingContext, "store" | "authority" | "sources">;

/**
 * Changes the definition of a sale. If that changes what its source means, which it may as long as the source was never
 * read whole, reading begins anew. What an auction's contract states is checked against it again.
 *
 * @throws ServiceError `invalid_argument`, `not_found`; `aborted` if the definition isn't at `expectedVersion` or the status
 *   is changed meanwhile; `failed_precondition` while a change set is open, for a withdrawn sale, and if the source doesn't
 *   pass the check; and auth's refusals.
 */
export async function updateSale(
  context: UpdateContext,
  principal: Principal,
  request: SaleUpdateRequest,
): Promise<SaleWithState> {
  const { current, definition } = await checkUpdate(context.store, request);
  const { sale, state } = current;
  const rereads = state.status !== "draft" && !isReadAlike(sale.definition, definition);
  const startsAnew = rereads && !isFrozen(state);
  const restates = state.status !== "draft" && !isStatedAlike(sale.definition, definition);
  if (withDefinition(sale, definition) === sale) return replace(context.store, current, { definition, startsAnew });
  // Who may edit a text may not choose what is read from the chain.
  if (startsAnew || restates) await context.authority.requireRole(principal, sale.uuid, "owner");
  const accepted =
    rereads || restates ? await checkSource(context, sale, definition, request) : { definition, overridden: false };
  await record(context, principal, sale, accepted);
  return replace(context.store, current, { definition: accepted.definition, startsAnew });
}

/** Checks the difference against the chain of the source: before the sale is locked, as it takes its time. */
function checkSource(
  { sources }: UpdateContext,
  { uuid: saleUuid, definition: before }: Sale,
  definition: SaleDefinition,
  { overrideConfirmName }: SaleUpdateRequest,
): Promise<AcceptedDefinition> {
  return checkDefinition(sources, { saleUuid, definition, before, override: overrideConfirmName !== "" });
}

function record(
  { authority }: UpdateContext,
  principal: Principal,
  { uuid, definition: before }: Sale,
  { definition, overridden }: AcceptedDefinition,
): Promise<void> {
  const settings = definitionChanges(definitionMessage(before), definitionMessage(definition));
  return authority.recordChange(principal, uuid, "definition", settings, overridden);
}

interface Replacement {
  readonly definition: SaleDefinition;
  /** Whether the source is read from its beginning, as if nothing had been read. */
  readonly startsAnew: boolean;
}

/** Replaces the definition under the lock. @param checked the sale for which the definition was checked */
function replace(
  { changes }: CommitmentsStore,
  checked: SaleWithState,
  { definition, startsAnew }: Replacement,
): Promise<SaleWithState> {
  return changes.run(checked.sale.uuid, async ({ transaction, nodes, sale, state }) => {
    requireVersion(sale, checked.sale.definitionVersion);
    requireSameStatus(checked.state, state);
    if (!startsAnew) requireNoChangeSet(state);
    const changed = withDefinition(sale, definition);
    if (changed === sale) return { state, result: () => ({ sale, state }) };
    await storeDefinition(transaction, changed);
    if (startsAnew) {
      await deleteReadRows(transaction, sale.uuid);
      nodes.clear(tickWidth(definition));
    }
    return {
      state: stateAfter({ sale, state }, { definition, startsAnew }),
      update: { definition },
      result: (next) => ({ sale: changed, state: next }),
    };
  });
}

function stateAfter({ sale, state }: SaleWithState, { definition, startsAnew }: Replacement): SaleState {
  const hasSource = definition.source !== undefined;
  const kept = hasSameFigures(sale, definition) ? state : withoutChangedPosition(state);
  const next = startsAnew ? beforeFirstRead(state, hasSource) : kept;
  return state.status === "draft" ? { ...next, hasSnapshot: !hasSource } : next;
}

/**
 * Checks what `updateSale` checks by itself.
 *
 * @returns the sale now, and the definition that it would get
 */
export async function checkUpdate(
  { database }: CommitmentsStore,
  { saleUuid, draftOf, expectedVersion, overrideConfirmName }: SaleUpdateRequest,
): Promise<{ readonly current: SaleWithState; readonly definition: SaleDefinition }> {
  const current = await database.snapshot((transaction) => readSaleWithState(transaction, saleUuid));
  const { sale, state } = current;
  requireNotWithdrawn(state);
  requireVersion(sale, expectedVersion);
  if (overrideConfirmName !== "") requireConfirmed(sale, "override_confirm_name", overrideConfirmName);
  return { current, definition: await nextDefinition(sale, state, draftOf(sale.definition)) };
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
