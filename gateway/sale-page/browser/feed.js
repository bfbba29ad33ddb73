// @ts-check
// Follows a sale's stream of server-sent events (docs/public-read.md#live).

const FIRST_DELAY_MS = 2_000;
const LONGEST_DELAY_MS = 60_000;

/**
 * @typedef {import("./figures.js").Totals} Totals
 * @typedef {import("./figures.js").Commitment} Commitment
 * @typedef {Totals & { Commitments: Commitment[] }} Body
 * @typedef {"connecting" | "live" | "lost"} FeedState
 *
 * @typedef {object} FeedListener
 * @property {(body: Body) => void} onBody each state that the sale gets
 * @property {(state: FeedState) => void} onState what has become of the stream
 */

/** A sale's public body, kept current until it is closed. Reconnects by itself, at growing intervals. */
export class Feed {
  /** @type {EventSource | undefined} */
  #source;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {Body | undefined} */
  #body;
  /** ID of the event that brought it, which a new `EventSource` doesn't send to the server. */
  #id = "";
  #delay = FIRST_DELAY_MS;
  #url;
  #listener;

  /**
   * @param {string} url of the stream
   * @param {FeedListener} listener
   */
  constructor(url, listener) {
    this.#url = url;
    this.#listener = listener;
    this.#connect();
  }

  close() {
    clearTimeout(this.#timer);
    this.#source?.close();
  }

  #connect() {
    this.#listener.onState("connecting");
    const source = new EventSource(this.#url);
    this.#source = source;
    source.addEventListener("body", ({ data, lastEventId }) => {
      if (isOlder(lastEventId, this.#id)) this.#leave(source);
      else this.#take(JSON.parse(data), lastEventId);
    });
    source.addEventListener("difference", ({ data, lastEventId }) => {
      if (this.#body !== undefined) this.#take(withDifference(this.#body, JSON.parse(data)), lastEventId);
    });
    source.addEventListener("open", () => this.#isLive());
    source.addEventListener("error", () => this.#hasFailed(source));
  }

  /**
   * @param {Body} body
   * @param {string} id
   */
  #take(body, id) {
    this.#body = body;
    this.#id = id;
    this.#listener.onBody(body);
  }

  #isLive() {
    this.#delay = FIRST_DELAY_MS;
    this.#listener.onState("live");
  }

  /**
   * Leaves a server that begins with an older state than the one shown, as a server without updates may do. Its state
   * isn't shown.
   *
   * @param {EventSource} source
   */
  #leave(source) {
    source.close();
    this.#hasFailed(source);
  }

  /** @param {EventSource} source */
  #hasFailed(source) {
    this.#listener.onState("lost");
    // The browser reconnects by itself unless the source is closed.
    if (source.readyState !== EventSource.CLOSED) return;
    // Readers that were all refused at once reconnect at different times.
    this.#timer = setTimeout(() => this.#connect(), this.#delay * (0.5 + Math.random()));
    this.#delay = Math.min(2 * this.#delay, LONGEST_DELAY_MS);
  }
}

/**
 * Whether an event's ID, generation and revision, comes before another one of the same generation.
 *
 * @param {string} id
 * @param {string} other
 */
export function isOlder(id, other) {
  const [generation, revision = ""] = id.split("-");
  const [otherGeneration, otherRevision = ""] = other.split("-");
  return generation === otherGeneration && BigInt(revision) < BigInt(otherRevision);
}

/**
 * @typedef {object} Difference
 * @property {string[]} Removed
 * @property {{ Index: number, Commitment: Commitment }[]} Upserted
 * @property {Totals} Totals
 */

/**
 * @param {Body} body
 * @param {Difference} difference
 * @returns {Body}
 */
export function withDifference(body, { Removed, Upserted, Totals }) {
  const gone = new Set([...Removed, ...Upserted.map(({ Commitment }) => Commitment.CommitmentID)]);
  const Commitments = body.Commitments.filter(({ CommitmentID }) => !gone.has(CommitmentID));
  for (const { Index, Commitment } of Upserted) Commitments.splice(Index, 0, Commitment);
  return { Commitments, ...Totals };
}
