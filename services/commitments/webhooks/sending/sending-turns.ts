import type { DueEndpoint } from "../due-deliveries-store.ts";

/** The most attempts under way: of the process, to one host, and for one founder. */
export interface SendingShares {
  readonly total: number;
  readonly perHost: number;
  readonly perFounder: number;
}

/**
 * Decides to which endpoints events are sent next. Each endpoint has one attempt at a time; hosts and founders have shares, so that
 * slow ones leave room for others. A founder's share is less than a host's, as founders may use the same host. Within the shares,
 * whoever was sent to last comes last: a long backlog keeps nobody waiting.
 */
export class SendingTurns {
  readonly #shares: SendingShares;
  readonly #running = new Map<string, DueEndpoint>();
  /** The number of the last turn of each endpoint that is due or under way. */
  #turns = new Map<string, number>();
  #count = 0;

  constructor(shares: SendingShares) {
    this.#shares = shares;
  }

  get isFull(): boolean {
    return this.#running.size >= this.#shares.total;
  }

  /** Begins the turns for which there is room. @param due all endpoints for which something is due, the earliest first */
  begin(due: readonly DueEndpoint[]): readonly DueEndpoint[] {
    this.#forgetOthers(due);
    const waiting = due.filter(({ endpointUuid }) => !this.#running.has(endpointUuid));
    // The sort is stable: endpoints without a turn stay in the order in which they are due.
    return waiting.sort((a, b) => this.#lastTurn(a) - this.#lastTurn(b)).filter((endpoint) => this.#beginOne(endpoint));
  }

  end(endpointUuid: string): void {
    this.#running.delete(endpointUuid);
  }

  #beginOne(endpoint: DueEndpoint): boolean {
    if (this.isFull || !this.#hasRoom(endpoint)) return false;
    this.#running.set(endpoint.endpointUuid, endpoint);
    this.#count += 1;
    this.#turns.set(endpoint.endpointUuid, this.#count);
    return true;
  }

  #hasRoom({ host, founder }: DueEndpoint): boolean {
    const running = [...this.#running.values()];
    const ofHost = running.filter((other) => other.host === host).length;
    const ofFounder = running.filter((other) => other.founder === founder).length;
    return ofHost < this.#shares.perHost && ofFounder < this.#shares.perFounder;
  }

  #lastTurn({ endpointUuid }: DueEndpoint): number {
    return this.#turns.get(endpointUuid) ?? 0;
  }

  /** Keeps the turns bounded by what is due. */
  #forgetOthers(due: readonly DueEndpoint[]): void {
    const known = [...this.#running.values(), ...due].filter((endpoint) => this.#lastTurn(endpoint) > 0);
    this.#turns = new Map(known.map((endpoint) => [endpoint.endpointUuid, this.#lastTurn(endpoint)]));
  }
}
