import type { DueEndpoint } from "../due-deliveries-store.ts";

/** The most attempts under way: of the process, to one host, and for one founder. */
export interface SlotShares {
  readonly total: number;
  readonly perHost: number;
  readonly perFounder: number;
}

/**
 * Decides to which endpoints events are sent next. Each endpoint has one attempt at a time; hosts and founders have shares, so that
 * slow ones leave room for others. A founder's share is less than a host's, as founders may use the same host. Within the shares,
 * whoever was sent to last comes last: a long backlog keeps nobody waiting.
 */
export class SendSlots {
  readonly #shares: SlotShares;
  readonly #running = new Map<string, DueEndpoint>();
  /** The number of the last start of each endpoint that is due or under way: starts are counted. */
  #lastStarts = new Map<string, number>();
  #count = 0;

  constructor(shares: SlotShares) {
    this.#shares = shares;
  }

  get isFull(): boolean {
    return this.#running.size >= this.#shares.total;
  }

  /** Takes the slots that are free. @param due all endpoints for which something is due, the earliest first */
  begin(due: readonly DueEndpoint[]): readonly DueEndpoint[] {
    this.#forgetOthers(due);
    const waiting = due.filter(({ endpointUuid }) => !this.#running.has(endpointUuid));
    // The sort is stable: endpoints that were never sent to stay in the order in which they are due.
    return waiting.sort((a, b) => this.#lastStart(a) - this.#lastStart(b)).filter((endpoint) => this.#take(endpoint));
  }

  end(endpointUuid: string): void {
    this.#running.delete(endpointUuid);
  }

  #take(endpoint: DueEndpoint): boolean {
    if (this.isFull || !this.#hasRoom(endpoint)) return false;
    this.#running.set(endpoint.endpointUuid, endpoint);
    this.#count += 1;
    this.#lastStarts.set(endpoint.endpointUuid, this.#count);
    return true;
  }

  #hasRoom({ host, founder }: DueEndpoint): boolean {
    const running = [...this.#running.values()];
    const ofHost = running.filter((other) => other.host === host).length;
    const ofFounder = running.filter((other) => other.founder === founder).length;
    return ofHost < this.#shares.perHost && ofFounder < this.#shares.perFounder;
  }

  #lastStart({ endpointUuid }: DueEndpoint): number {
    return this.#lastStarts.get(endpointUuid) ?? 0;
  }

  /** Bounds the starts in memory by what is due. */
  #forgetOthers(due: readonly DueEndpoint[]): void {
    const remembered = [...this.#running.values(), ...due].filter((endpoint) => this.#lastStart(endpoint) > 0);
    this.#lastStarts = new Map(remembered.map((endpoint) => [endpoint.endpointUuid, this.#lastStart(endpoint)]));
  }
}
