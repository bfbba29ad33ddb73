import type { Bus, BusEvent, BusListener } from "./bus.ts";

interface Subscription {
  readonly pattern: string;
  readonly listener: BusListener;
}

/** The bus of a process that runs alone. It stores nothing and calls all listeners at once. */
export class LocalBus implements Bus {
  readonly system = "in_process";
  readonly maxAgeMillis: bigint = 0n;
  readonly #subscriptions = new Set<Subscription>();

  async publish(event: BusEvent): Promise<void> {
    for (const { pattern, listener } of this.#subscriptions) {
      if (matchesSubject(pattern, event.subject)) listener.event(event);
    }
  }

  async storeId(): Promise<string> {
    return "local";
  }

  findStore(): Promise<string | undefined> {
    return this.storeId();
  }

  listen(pattern: string, listener: BusListener): () => void {
    const subscription = { pattern, listener };
    this.#subscriptions.add(subscription);
    return () => {
      this.#subscriptions.delete(subscription);
    };
  }

  /** Does nothing: there is no other process. */
  signal(): void {}

  takeLoss(): boolean {
    return false;
  }

  isConnected(): boolean {
    return true;
  }

  reconnect(): void {}

  async close(): Promise<void> {
    this.#subscriptions.clear();
  }
}

/** Whether a subject matches a pattern: `*` matches one token, `>` at the end one or more. */
export function matchesSubject(pattern: string, subject: string): boolean {
  const patternTokens = pattern.split(".");
  const tokens = subject.split(".");
  const isOpen = patternTokens.at(-1) === ">";
  if (isOpen ? tokens.length < patternTokens.length : tokens.length !== patternTokens.length) return false;
  return patternTokens.every((token, index) => token === "*" || token === tokens[index] || (isOpen && token === ">"));
}
