import { setTimeout as delay } from "node:timers/promises";
import { type CallOptions, type Client, Code, ConnectError } from "@connectrpc/connect";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { Random } from "../../../services/demo/random.ts";

export type CommitmentClient = Client<typeof CommitmentService>;

/** Longer together than any fault lasts. */
const MAX_ATTEMPTS = 4_000;
const PAUSE_MS = 50;

/** One call of so many is given up in the middle, after a time that an apply may take. */
const CALLS_PER_HANG_UP = 12;
const LONGEST_WAIT_MS = 25;

/** After these nobody knows whether the call was carried out. */
const UNKNOWN_OUTCOMES: ReadonlySet<Code> = new Set([Code.Unavailable, Code.DeadlineExceeded, Code.Canceled]);

/**
 * Sends each call again, to any of the services, until one of them has answered it. Now and then it hangs up before the
 * answer has come, and calls again.
 */
export class PersistentCaller {
  readonly #clients: readonly [CommitmentClient, ...CommitmentClient[]];
  readonly #random: Random;
  readonly #onSend: () => void;
  #sent = 0;
  #retries = 0;

  /** @param onSend is told of every call that is sent, repeated ones included. */
  constructor(clients: readonly [CommitmentClient, ...CommitmentClient[]], random: Random, onSend: () => void) {
    this.#clients = clients;
    this.#random = random;
    this.#onSend = onSend;
  }

  /** Calls sent, repeated ones included. */
  get sent(): number {
    return this.#sent;
  }

  /** Calls sent again because the outcome of the try before was unknown. */
  get retries(): number {
    return this.#retries;
  }

  /** @throws ConnectError: the answer, where that is an error; the last failure after minutes without an answer. */
  async call<Response>(send: (client: CommitmentClient, options: CallOptions) => Promise<Response>): Promise<Response> {
    for (let attempt = 1; ; attempt += 1) {
      this.#sent += 1;
      this.#onSend();
      try {
        return await send(this.#random.pick(this.#clients), this.#patience());
      } catch (error) {
        if (!UNKNOWN_OUTCOMES.has(ConnectError.from(error).code) || attempt === MAX_ATTEMPTS) throw error;
      }
      this.#retries += 1;
      await delay(PAUSE_MS);
    }
  }

  #patience(): CallOptions {
    if (this.#random.integer(1, CALLS_PER_HANG_UP) > 1) return {};
    return { signal: AbortSignal.timeout(this.#random.integer(0, LONGEST_WAIT_MS)) };
  }
}
