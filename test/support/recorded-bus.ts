import type { Bus, BusEvent } from "../../services/shared/bus/bus.ts";
import { LocalBus } from "../../services/shared/bus/local-bus.ts";

/** Outcome of publishing an event. */
export type PublishOutcome = "kept" | "refused" | "kept, but not acknowledged";

/** A bus that remembers what it has kept, and fails on command. */
export class RecordedBus extends LocalBus implements Bus {
  override readonly maxAgeMillis: bigint = 3_600_000n;
  readonly kept: BusEvent[] = [];
  store = "first";
  /** Decides the outcome of the next event. */
  outcome: (event: BusEvent) => PublishOutcome = () => "kept";

  override async publish(event: BusEvent): Promise<void> {
    const outcome = this.outcome(event);
    if (outcome !== "refused") {
      this.kept.push(event);
      await super.publish(event);
    }
    if (outcome !== "kept") throw new Error(outcome);
  }

  override async storeId(): Promise<string> {
    return this.store;
  }

  /** Another store takes the place of this one, empty. */
  loseStore(): void {
    this.kept.length = 0;
    this.store += "+";
  }
}
