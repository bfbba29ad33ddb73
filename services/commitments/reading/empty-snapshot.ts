import type { SaleDefinition } from "../../../common/sale/definition/sale.ts";
import type { SaleSnapshot } from "../../../common/sale/figures/commitment-data.ts";

/** Returns what the public would see of a sale to which nobody has committed. Where nothing is bid, an auction clears at its floor. */
export function emptySnapshot({ pricing }: Pick<SaleDefinition, "pricing">): SaleSnapshot {
  const clearing = pricing.kind === "auction" ? { clearingTick: pricing.floorTicks } : {};
  return { latest: [], total: 0n, count: 0n, ...clearing };
}
