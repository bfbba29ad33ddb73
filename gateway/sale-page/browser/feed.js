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

/** A sale's public body, kept current until it is closed. Connects again by itself, more and more rarely. */
export class Feed {
  /** @type {EventSource | undefined} */
  #source;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {Body | undefined} */
  #body;
  /** The event that brought it, which a new `EventSource` doesn't tell the server. */
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
   * A server that is cut off may begin with less than was shown already: nothing of it is shown, and another one is asked.
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
    // What the browser tries again by itself isn't closed.
    if (source.readyState !== EventSource.CLOSED) return;
    // Readers that were all refused at once come back one by one.
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
