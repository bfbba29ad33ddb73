import type { Bus } from "../../../common/platform/bus/bus.ts";
import { Silence } from "../../../common/platform/bus/silence.ts";

/** The time between leaving two servers without an event from either; it doubles each time. */
const FIRST_WAIT_MS = 30_000;
/** Whoever publishes may be cut off itself, and then no server has anything. */
const LONGEST_WAIT_MS = 10 * 60_000;

export interface MissedEventsOptions {
  /** Undefined without a bus. */
  readonly bus: Pick<Bus, "isConnected" | "reconnect"> | undefined;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
}

/**
 * Leaves a server of the bus that delivers nothing, though it is connected: at least two changes, five seconds apart, were found by asking
 * the commitments service, and no event of any sale came since the first. A gateway may publish nothing, so it can't ask the server.
 */
export class MissedEvents {
  readonly #bus: MissedEventsOptions["bus"];
  readonly #now: () => number;
  readonly #silence: Silence;
  #mayLeaveAt = -Infinity;
  #waitMs = FIRST_WAIT_MS;

  constructor({ bus, now }: MissedEventsOptions) {
    this.#bus = bus;
    this.#now = now;
    this.#silence = new Silence(now);
  }

  /** Notes an event of the bus, of any sale. */
  noteEvent(): void {
    this.#silence.end();
    this.#waitMs = FIRST_WAIT_MS;
  }

  /** Notes a change that was found by asking. Its event may be under way. */
  noteChange(): void {
    // Without a connection nothing comes, and the next one may be to another server.
    if (this.#bus?.isConnected() !== true) this.#silence.end();
    else if (!this.#silence.isLong) this.#silence.noteMissing();
    else if (this.#now() >= this.#mayLeaveAt) this.#leave(this.#bus);
  }

  #leave(bus: Pick<Bus, "reconnect">): void {
    this.#silence.end();
    this.#mayLeaveAt = this.#now() + this.#waitMs;
    this.#waitMs = Math.min(2 * this.#waitMs, LONGEST_WAIT_MS);
    bus.reconnect();
  }
}
