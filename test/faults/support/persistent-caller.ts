import { setTimeout as delay } from "node:timers/promises";
import { type CallOptions, type Client, Code, ConnectError } from "@connectrpc/connect";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { Random } from "../../../services/demo/bidders/random.ts";

export type CommitmentClient = Client<typeof CommitmentService>;

/** Attempts that together take longer than any fault. */
const MAX_ATTEMPTS = 4_000;
const PAUSE_MS = 50;

/** One in this many calls is cancelled, after a time in which an apply may be running. */
const CALLS_PER_HANG_UP = 12;
const LONGEST_WAIT_MS = 25;

/** Codes after which it is unknown whether the call was carried out. */
const UNKNOWN_OUTCOMES: ReadonlySet<Code> = new Set([Code.Unavailable, Code.DeadlineExceeded, Code.Canceled]);

/**
 * Repeats each call, to any of the services, until one of them has answered it. Sometimes cancels a call before its response
 * and repeats it.
 */
export class PersistentCaller {
  readonly #clients: readonly [CommitmentClient, ...CommitmentClient[]];
  readonly #random: Random;
  readonly #onSend: () => void;
  #sent = 0;
  #retries = 0;

  /** @param onSend called for every call that is sent, repeats included */
  constructor(clients: readonly [CommitmentClient, ...CommitmentClient[]], random: Random, onSend: () => void) {
    this.#clients = clients;
    this.#random = random;
    this.#onSend = onSend;
  }

  /** The number of calls sent, repeats included. */
  get sent(): number {
    return this.#sent;
  }

  /** The number of calls sent again because the outcome of the previous attempt was unknown. */
  get retries(): number {
    return this.#retries;
  }

  /** Makes a call. @throws ConnectError with which it was answered, or the last failure after minutes without an answer */
  async call<Response>(send: (client: CommitmentClient, options: CallOptions) => Promise<Response>): Promise<Response> {
    for (let attempt = 1; ; attempt += 1) {
      this.#sent += 1;
      this.#onSend();
      try {
        return await send(this.#random.pick(this.#clients), this.#callOptions());
      } catch (error) {
        if (!UNKNOWN_OUTCOMES.has(ConnectError.from(error).code) || attempt === MAX_ATTEMPTS) throw error;
      }
      this.#retries += 1;
      await delay(PAUSE_MS);
    }
  }

  #callOptions(): CallOptions {
    if (this.#random.integer(1, CALLS_PER_HANG_UP) > 1) return {};
    return { signal: AbortSignal.timeout(this.#random.integer(0, LONGEST_WAIT_MS)) };
  }
}
