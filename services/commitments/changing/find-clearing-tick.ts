import type { SaleDefinition } from "../../../common/sale/definition/sale.ts";
import { tickWidth } from "../../../common/sale/definition/tick-width.ts";
import { clearingSearch } from "../../../common/sale/figures/clearing-search.ts";
import { activeClasses } from "../../../common/sale/figures/counting-class.ts";
import type { SaleState } from "../base/domain/sale-state.ts";
import type { SaleNodes } from "../base/sale-nodes.ts";

/** Finds the clearing tick of an auction that isn't a draft, by one descent of the tree; any other sale has none. */
export async function findClearingTick(
  nodes: SaleNodes,
  definition: SaleDefinition,
  state: SaleState,
): Promise<{ readonly clearingTick?: bigint }> {
  if (definition.pricing.kind !== "auction" || state.status === "draft") return {};
  const classes = activeClasses(state, definition.cancelledKeepsAmounts);
  await nodes.requirePath(classes, state.clearingTick ?? definition.pricing.floorTicks);
  const descent = clearingSearch(definition.pricing, definition.priceTick, tickWidth(definition));
  let step = descent.next();
  while (step.done !== true) {
    step = descent.next(await nodes.children(classes, step.value));
  }
  return { clearingTick: step.value };
}
