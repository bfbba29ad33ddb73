import type { SaleStage } from "../../../common/sale/state/stage.ts";
import type { FeedFault } from "../base/domain/feed-state.ts";
import { isPublic, type SaleState } from "../base/domain/sale-state.ts";

/** An event that webhooks are sent about. */
export type SaleEvent =
  | { readonly type: "sale.opened" | "sale.settled" | "webhook.test" }
  | { readonly type: "sale.stage_changed"; readonly previousStage: SaleStage | undefined }
  | { readonly type: "sale.fault_began" | "sale.fault_ended"; readonly fault: FeedFault };

/** The type of test events, which belong to one endpoint and aren't sent again with the others. */
export const TEST_EVENT = "webhook.test";

/** The types of events that make up a sale's course. They are kept longer than faults and tests. */
export const LIFECYCLE_EVENTS: readonly SaleEvent["type"][] = ["sale.opened", "sale.stage_changed", "sale.settled"];

type Stages = Pick<SaleState, "status" | "stage">;

/** Returns the events of a change of a sale, in their order. */
export function eventsOfChange(before: Stages, after: Stages): readonly SaleEvent[] {
  if (!isPublic(after)) return [];
  const events: SaleEvent[] = [];
  if (before.status === "draft") events.push({ type: "sale.opened" });
  if (after.stage !== undefined && after.stage !== before.stage) {
    events.push({ type: "sale.stage_changed", previousStage: before.stage });
  }
  if (after.status === "settled" && before.status !== "settled") events.push({ type: "sale.settled" });
  return events;
}

/** Returns the events between two looks at a sale's feed. A fault that became another one has ended. */
export function eventsOfFault(before: FeedFault | undefined, after: FeedFault | undefined): readonly SaleEvent[] {
  if (before === after) return [];
  const events: SaleEvent[] = [];
  if (before !== undefined) events.push({ type: "sale.fault_ended", fault: before });
  if (after !== undefined) events.push({ type: "sale.fault_began", fault: after });
  return events;
}
