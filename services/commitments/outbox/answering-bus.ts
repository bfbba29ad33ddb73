import type { Bus, BusEvent } from "../../../common/platform/bus/bus.ts";
import { SILENT_BUS_MS, Silence } from "../../../common/platform/bus/silence.ts";

/** The calls of a bus that its store has to answer. */
export type StoreCalls = Pick<Bus, "publish" | "findStore" | "storeId" | "system">;

export interface AnsweringBusDependencies {
  readonly bus: StoreCalls & Pick<Bus, "reconnect">;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
}

/**
 * A bus that knows whether its store answers: a server that is cut off from the others keeps its clients' connections, and
 * acknowledges nothing. If it led the store, it still tells about it, so that only an acknowledgement ends a failed publish.
 */
export class AnsweringBus implements StoreCalls {
  readonly #bus: AnsweringBusDependencies["bus"];
  readonly #now: () => number;
  readonly #silence: Silence;
  /** Whether a publish has failed since the last acknowledgement. */
  #isUnacknowledged = false;
  /** Time at which the server was left for one that has not answered yet. */
  #leftAt: number | undefined;

  constructor({ bus, now }: AnsweringBusDependencies) {
    this.#bus = bus;
    this.#now = now;
    this.#silence = new Silence(now);
  }

  /** Whether nothing was answered for `SILENT_BUS_MS`, though something was asked. */
  get isSilent(): boolean {
    return this.#silence.isLong;
  }

  get system(): StoreCalls["system"] {
    return this.#bus.system;
  }

  publish(event: BusEvent): Promise<void> {
    return this.#noted(this.#bus.publish(event), true);
  }

  findStore(): Promise<string | undefined> {
    return this.#noted(this.#bus.findStore());
  }

  storeId(): Promise<string> {
    return this.#noted(this.#bus.storeId());
  }

  /** Leaves a silent server, then asks the next one, which is left likewise if it is silent. @returns whether it answers */
  async answersAgain(): Promise<boolean> {
    if (this.#leftAt === undefined) {
      this.#leftAt = this.#now();
      this.#bus.reconnect();
      return false;
    }
    try {
      await this.#bus.findStore();
      this.#endFailure();
      return true;
    } catch {
      if (this.#now() - this.#leftAt >= SILENT_BUS_MS) this.#leftAt = undefined;
      return false;
    }
  }

  /** Forgets the failures of a connection that has ended, unless it was this that left the server. */
  noteDisconnected(): void {
    if (this.#leftAt === undefined) this.#endFailure();
  }

  async #noted<Answer>(call: Promise<Answer>, isPublish = false): Promise<Answer> {
    try {
      const answer = await call;
      if (isPublish || !this.#isUnacknowledged) this.#endFailure();
      return answer;
    } catch (error) {
      this.#silence.noteMissing();
      this.#isUnacknowledged ||= isPublish;
      throw error;
    }
  }

  #endFailure(): void {
    this.#silence.end();
    this.#isUnacknowledged = false;
    this.#leftAt = undefined;
  }
}
