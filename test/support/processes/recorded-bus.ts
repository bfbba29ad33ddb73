import type { Bus, BusEvent } from "../../../common/platform/bus/bus.ts";
import { LocalBus } from "../../../common/platform/bus/local-bus.ts";

/** Outcome of publishing an event. */
export type PublishOutcome = "kept" | "refused" | "kept, but not acknowledged";

/** A bus that records the events that it has kept, and fails on command. */
export class RecordedBus extends LocalBus implements Bus {
  override readonly maxAgeMillis: bigint = 3_600_000n;
  readonly kept: BusEvent[] = [];
  /** The ID of the store; undefined while there is none. */
  store: string | undefined = "first";
  /** The number of stores that were lost. */
  #losses = 0;
  /** Decides the outcome of the next event. */
  outcome: (event: BusEvent) => PublishOutcome = () => "kept";

  override async publish(event: BusEvent): Promise<void> {
    const outcome = this.store === undefined ? "refused" : this.outcome(event);
    if (outcome !== "refused") {
      this.kept.push(event);
      await super.publish(event);
    }
    if (outcome !== "kept") throw new Error(outcome);
  }

  override async storeId(): Promise<string> {
    this.store ??= `after loss ${this.#losses}`;
    return this.store;
  }

  override async findStore(): Promise<string | undefined> {
    return this.store;
  }

  /** Another store takes the place of this one, empty. */
  async loseStore(): Promise<void> {
    this.deleteStore();
    await this.storeId();
  }

  /** The store is gone with all events. */
  deleteStore(): void {
    this.kept.length = 0;
    this.#losses++;
    this.store = undefined;
  }
}
